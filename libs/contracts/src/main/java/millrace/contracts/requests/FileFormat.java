package millrace.contracts.requests;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The format of a report's file. The name of a file in the store ends with it, so that the name is
 * enough to serve the file. A name without such an ending is plain CSV.
 */
public record FileFormat(Form form, Compression compression) {
    public static final FileFormat CSV = new FileFormat(Form.CSV, Compression.NONE);

    private static final List<FileFormat> LONGEST_ENDING_FIRST = Arrays.stream(Form.values())
            .flatMap(f -> Stream.of(Compression.values()).map(c -> new FileFormat(f, c)))
            .sorted(Comparator.comparingInt(f -> -f.extension().length()))
            .toList();

    private static final List<String> FORMS =
            Arrays.stream(Form.values()).map(Form::word).toList();
    private static final List<String> COMPRESSIONS =
            Arrays.stream(Compression.values()).map(Compression::word).toList();

    /** The values of {@code response_format}. */
    public enum Form {
        CSV,
        /** JSON Lines: one object per row. */
        JSON,
        PARQUET;

        /** Lower case, as in requests. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static List<String> words() {
            return FORMS;
        }
    }

    /** The values of {@code compression}. For Parquet it is the codec inside the file. */
    public enum Compression {
        NONE,
        GZIP,
        ZSTD;

        /** Lower case, as in requests. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static List<String> words() {
            return COMPRESSIONS;
        }
    }

    /**
     * The ending of the file's name without the dot: {@code csv}, {@code jsonl.gz}, {@code
     * zstd.parquet}.
     */
    public String extension() {
        return switch (form) {
            case CSV -> "csv" + ending();
            case JSON -> "jsonl" + ending();
            case PARQUET -> (compression == Compression.NONE ? "" : compression.word() + ".") + "parquet";
        };
    }

    /** Media type of the stored bytes: a compressed file is a file, not a content encoding. */
    public String mediaType() {
        return switch (form) {
            case PARQUET -> "application/vnd.apache.parquet";
            case CSV -> compressedOr("text/csv; charset=utf-8");
            case JSON -> compressedOr("application/x-ndjson");
        };
    }

    /** The file name that clients save. */
    public String downloadName(String dataset, UUID reportId) {
        return dataset + "-" + reportId + "." + extension();
    }

    /** The format of a file in the store. */
    public static FileFormat ofName(String name) {
        return LONGEST_ENDING_FIRST.stream()
                .filter(f -> name.endsWith("." + f.extension()))
                .findFirst()
                .orElse(CSV);
    }

    private String ending() {
        return switch (compression) {
            case NONE -> "";
            case GZIP -> ".gz";
            case ZSTD -> ".zst";
        };
    }

    private String compressedOr(String plain) {
        return switch (compression) {
            case NONE -> plain;
            case GZIP -> "application/gzip";
            case ZSTD -> "application/zstd";
        };
    }
}
