package millrace.processor.ledger.state;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import millrace.contracts.requests.FileFormat;
import millrace.processor.ledger.decide.EndedReport;
import org.jspecify.annotations.Nullable;

/**
 * The name that workers give to the file of a report, in 18 bytes: {@code {report}/{attempt}/{part}-{run}.{extension}}.
 *
 * @param part index in {@link #PARTS}
 * @param extension index in {@link #EXTENSIONS}
 */
record EndedFileName(int part, UUID run, int extension) {
    /** Of a report of one slice, and of an assembled one. They are stored by their index: append only. */
    private static final List<String> PARTS = List.of("0", "report");
    /** Of {@link FileFormat#extension}. They are stored by their index: append only. */
    private static final List<String> EXTENSIONS = List.of(
            "csv", "csv.gz", "csv.zst", "jsonl", "jsonl.gz", "jsonl.zst", "parquet", "gzip.parquet", "zstd.parquet");

    /** Of an encoded name. */
    static final int BYTES = 18;

    private static final int UUID_LENGTH = 36;

    /** Null if the report has no file, or one of another name. */
    static @Nullable EndedFileName of(EndedReport report) {
        String name = report.file();
        if (name == null) {
            return null;
        }
        int begin = name.lastIndexOf('/') + 1;
        int dash = name.indexOf('-', begin);
        int dot = dash + 1 + UUID_LENGTH;
        if (dash < 0 || dot >= name.length()) {
            return null;
        }
        int part = PARTS.indexOf(name.substring(begin, dash));
        int extension = EXTENSIONS.indexOf(name.substring(dot + 1));
        UUID run = run(name.substring(dash + 1, dot));
        if (part < 0 || extension < 0 || run == null) {
            return null;
        }
        var usual = new EndedFileName(part, run, extension);
        return name.equals(usual.name(report.id(), report.attempt())) ? usual : null;
    }

    String name(UUID report, int attempt) {
        return EndedReport.folder(report, attempt) + PARTS.get(part) + "-" + run + "." + EXTENSIONS.get(extension);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(part);
        out.writeLong(run.getMostSignificantBits());
        out.writeLong(run.getLeastSignificantBits());
        out.writeByte(extension);
    }

    static EndedFileName read(DataInputStream in) throws IOException {
        return new EndedFileName(in.readByte(), new UUID(in.readLong(), in.readLong()), in.readByte());
    }

    private static @Nullable UUID run(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
