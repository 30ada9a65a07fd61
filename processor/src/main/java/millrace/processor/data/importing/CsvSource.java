package millrace.processor.data.importing;

import millrace.catalog.text.Text;
import millrace.files.CountedStream;
import millrace.files.InflatedStream;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file (RFC 4180) in UTF-8, with or without a byte order mark, which may be compressed with gzip. Lines
 * without a text are skipped.
 */
final class CsvSource implements RowSource {
    private static final int LONGEST_CELL = 1 << 20;
    /** How long to wait for the writer of a pipe. */
    private static final Duration PIPE = Duration.ofSeconds(10);

    private static final Pattern LINE = Pattern.compile("line (\\d+)");
    private static final String CUT_OFF = "its gzip data end too early; is the file complete?";

    private final String name;
    private final long size;
    private final CountedStream counted;
    private final CsvReader<CsvRecord> reader;
    private final CloseableIterator<CsvRecord> records;
    private final List<String> header;
    private @Nullable CsvRecord row;

    private CsvSource(String name, long size, CountedStream counted, CsvReader<CsvRecord> reader) throws IOException {
        this.name = name;
        this.size = size;
        this.counted = counted;
        this.reader = reader;
        this.records = reader.iterator();
        this.header = next() && row != null ? List.copyOf(row.getFields()) : List.of();
    }

    /** @param separator between cells */
    public static CsvSource open(Path file, char separator) throws IOException {
        var counted = new CountedStream(InputFile.open(file, PIPE));
        try {
            InputStream in = Utf8InputStream.of(
                    file.toString().endsWith(".gz") ? new Unpacked(counted, InflatedStream.gzip(counted)) : counted);
            CsvReader<CsvRecord> reader = CsvReader.builder()
                    .fieldSeparator(separator)
                    .allowUnclosedQuote(false)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .maxBufferSize(LONGEST_CELL)
                    .ofCsvRecord(in, StandardCharsets.UTF_8);
            return new CsvSource(file.toString(), Math.max(1, Files.size(file)), counted, reader);
        } catch (EOFException e) {
            counted.close();
            throw new IOException(CUT_OFF, e);
        } catch (IOException | RuntimeException e) {
            counted.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public boolean next() throws IOException {
        try {
            do {
                row = records.hasNext() ? records.next() : null;
            } while (row != null && isEmpty(row));
            return row != null;
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof EOFException ? new IOException(CUT_OFF, e) : e.getCause();
        } catch (CsvParseException e) {
            throw new IOException(sentence(e), e);
        }
    }

    /** Spreadsheets write rows of separators alone below the table. */
    private static boolean isEmpty(CsvRecord row) {
        return row.getField(0).isEmpty() && row.getFields().stream().allMatch(String::isEmpty);
    }

    private static String sentence(CsvParseException e) {
        String message = String.valueOf(e.getMessage());
        if (!message.startsWith("The maximum buffer size")) {
            return message;
        }
        Matcher line = LINE.matcher(message);
        return "a cell has more than " + Text.number(LONGEST_CELL) + " characters"
                + (line.find() ? " (line " + line.group(1) + ")" : "")
                + ": a quote is not closed, or it is no CSV file";
    }

    @Override
    public int cells() {
        return current().getFieldCount();
    }

    @Override
    public String cell(int column) {
        return current().getField(column);
    }

    @Override
    public long line() {
        return current().getStartingLineNumber();
    }

    @Override
    public String place(long line) {
        return name + ":" + line;
    }

    @Override
    public double fraction() {
        return Math.min(1, counted.count() / (double) size);
    }

    @Override
    public void close() throws IOException {
        records.close();
        reader.close();
    }

    private CsvRecord current() {
        if (row == null) {
            throw new IllegalStateException("there is no current row");
        }
        return row;
    }

    /**
     * The decompressed file. Reading fails where it is out of proportion to the compressed size, as in a decompression
     * bomb.
     */
    private static final class Unpacked extends FilterInputStream {
        /** Tables of numbers shrink to 1/20, a single repeated row to 1/300. */
        private static final long MOST_TIMES = 500;

        private static final long HARMLESS = 64 << 20;

        private final CountedStream packed;
        private final CountedStream unpacked;

        Unpacked(CountedStream packed, InputStream in) {
            this(packed, new CountedStream(in));
        }

        private Unpacked(CountedStream packed, CountedStream unpacked) {
            super(unpacked);
            this.packed = packed;
            this.unpacked = unpacked;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            if (unpacked.count() > HARMLESS && unpacked.count() / MOST_TIMES > packed.count()) {
                throw new IOException("it unpacks to more than " + MOST_TIMES + " times its size; it is no CSV file");
            }
            return read;
        }
    }
}
