package millrace.processor.ledger.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.processor.ledger.account.state.EndedReport;
import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a row of {@link EndedReports}: its form, and the entries one after the other. The first byte of an entry
 * says what follows.
 */
final class EndedRow {
    private static final int FORM = 1;

    private static final int KEY = 1;
    private static final int FILE = 2;
    /** The name of the file is an {@link EndedFileName}, and not a text. */
    private static final int USUAL_NAME = 4;

    private static final int ENTITY_LIST = 8;
    private static final int FILTER_LISTS = 16;

    private EndedRow() {}

    /** The entries of a row, or none where there is no row. */
    static List<EndedEntry> decode(byte @Nullable [] row) {
        List<EndedEntry> entries = new ArrayList<>();
        if (row == null) {
            return entries;
        }
        try (var in = new DataInputStream(new ByteArrayInputStream(row))) {
            int form = in.readByte();
            if (form != FORM) {
                throw new StreamsException("the store holds ended reports of form " + form);
            }
            while (in.available() > 0) {
                entries.add(read(in));
            }
            return entries;
        } catch (IOException | IndexOutOfBoundsException e) {
            throw new StreamsException("the store holds what is no ended report", e);
        }
    }

    /** The row of these entries; null for none. */
    static byte @Nullable [] encode(List<EndedEntry> entries) {
        if (entries.isEmpty()) {
            return null;
        }
        var bytes = new ByteArrayOutputStream(64 * entries.size());
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            for (EndedEntry entry : entries) {
                switch (entry) {
                    case EndedEntry.OfKey key -> write(key, out);
                    case EndedEntry.OfReport report -> write(report.account(), report.report(), out);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(EndedEntry.OfKey key, DataOutputStream out) throws IOException {
        out.writeByte(KEY);
        out.writeLong(key.place());
        out.writeInt(key.account());
        write(key.due(), out);
    }

    private static void write(String account, EndedReport report, DataOutputStream out) throws IOException {
        EndedFileName usual = EndedFileName.of(report);
        List<String> lists = report.filterLists();
        out.writeByte((report.file() == null ? 0 : FILE)
                | (usual == null ? 0 : USUAL_NAME)
                | (report.entityList() ? ENTITY_LIST : 0)
                | (lists.isEmpty() ? 0 : FILTER_LISTS));
        out.writeLong(report.id().getMostSignificantBits());
        out.writeLong(report.id().getLeastSignificantBits());
        out.writeUTF(account);
        out.writeByte(report.attempt());
        write(report.knownUntil(), out);
        if (usual != null) {
            usual.write(out);
        } else if (report.file() != null) {
            out.writeUTF(report.file());
        }
        if (report.fileDue() != null) {
            write(report.fileDue(), out);
        }
        if (!lists.isEmpty()) {
            out.writeByte(lists.size());
            for (String list : lists) {
                out.writeUTF(list);
            }
        }
    }

    private static EndedEntry read(DataInputStream in) throws IOException {
        int what = in.readByte();
        if (what == KEY) {
            return new EndedEntry.OfKey(in.readLong(), in.readInt(), readTime(in));
        }
        var id = new UUID(in.readLong(), in.readLong());
        String account = in.readUTF();
        int attempt = in.readByte();
        Instant knownUntil = readTime(in);
        String file = null;
        Instant fileDue = null;
        if ((what & FILE) != 0) {
            file = (what & USUAL_NAME) == 0
                    ? in.readUTF()
                    : EndedFileName.read(in).name(id, attempt);
            fileDue = readTime(in);
        }
        List<String> lists = new ArrayList<>();
        int left = (what & FILTER_LISTS) == 0 ? 0 : in.readUnsignedByte();
        for (; left > 0; left--) {
            lists.add(in.readUTF());
        }
        boolean entityList = (what & ENTITY_LIST) != 0;
        return new EndedEntry.OfReport(
                account, new EndedReport(id, attempt, file, fileDue, knownUntil, entityList, lists));
    }

    /** Seconds in 5 bytes, which are enough for 34,000 years. */
    private static void write(Instant time, DataOutputStream out) throws IOException {
        long seconds = time.getEpochSecond();
        out.writeByte((int) (seconds >>> 32));
        out.writeInt((int) seconds);
    }

    private static Instant readTime(DataInputStream in) throws IOException {
        long high = in.readUnsignedByte();
        return Instant.ofEpochSecond((high << 32) | Integer.toUnsignedLong(in.readInt()));
    }
}
