package millrace.client.cli.report;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;

/**
 * Lists of domains or keywords, as they are typed or in a file. Typed ones are separated by commas,
 * {@code @file} names a file, {@code @-} the standard input. A file has one on each line; of a file
 * whose name ends with {@code .csv} the column counts that has the list's name, else the first one.
 */
final class EntityLists {
    private static final int MOST_BYTES = 64 << 20;

    private final InputStream in;

    /** @param in what {@code @-} reads */
    EntityLists(InputStream in) {
        this.in = in;
    }

    /** @param field of the request, which the column of a CSV file may be called */
    List<String> read(String field, List<String> arguments) throws CliException {
        List<String> all = new ArrayList<>();
        for (String argument : arguments) {
            all.addAll(argument.startsWith("@") ? file(field, argument.substring(1)) : typed(field, argument));
        }
        return all;
    }

    private static List<String> typed(String field, String argument) throws CliException {
        List<String> values = new ArrayList<>();
        for (CsvRecord row : rows("--" + field, argument, ',')) {
            values.addAll(row.getFields());
        }
        return stripped(values);
    }

    private List<String> file(String field, String name) throws CliException {
        String text = text(name);
        List<String> values = stripped(
                name.toLowerCase(Locale.ROOT).endsWith(".csv") ? column(field, name, text) : lines(name, text));
        if (values.isEmpty()) {
            throw new CliException(ExitCodes.USAGE, shown(name) + " has nothing in it");
        }
        return values;
    }

    private static List<String> lines(String name, String text) throws CliException {
        List<String> values = new ArrayList<>();
        for (String line : text.lines().toList()) {
            // As a spreadsheet or a database writes a value with a comma in it.
            List<CsvRecord> quoted = line.startsWith("\"") ? rows(shown(name), line, ',') : List.of();
            values.add(quoted.isEmpty() ? line : quoted.getFirst().getField(0));
        }
        return values;
    }

    private static List<String> column(String field, String name, String text) throws CliException {
        List<CsvRecord> rows = rows(shown(name), text, separator(text));
        int column = -1;
        if (!rows.isEmpty()) {
            List<String> titles = rows.getFirst().getFields().stream()
                    .map(title -> title.strip().toLowerCase(Locale.ROOT))
                    .toList();
            column = Math.max(titles.indexOf(field), titles.indexOf(field.replaceFirst("s$", "")));
        }
        int wanted = Math.max(0, column);
        return rows.stream()
                .skip(column < 0 ? 0 : 1)
                .filter(row -> row.getFieldCount() > wanted)
                .map(row -> row.getField(wanted))
                .toList();
    }

    /** Spreadsheets of some countries write semicolons. */
    private static char separator(String text) {
        String first = text.lines().findFirst().orElse("");
        return first.indexOf(',') >= 0 ? ',' : first.indexOf(';') >= 0 ? ';' : first.indexOf('\t') >= 0 ? '\t' : ',';
    }

    private static List<CsvRecord> rows(String where, String text, char separator) throws CliException {
        try (CsvReader<CsvRecord> reader =
                CsvReader.builder().fieldSeparator(separator).ofCsvRecord(text)) {
            return reader.stream().toList();
        } catch (CsvParseException e) {
            throw new CliException(ExitCodes.USAGE, where + " is no CSV: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> stripped(List<String> values) {
        return values.stream()
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private String text(String name) throws CliException {
        try (InputStream file = name.equals("-") ? in : Files.newInputStream(Path.of(name))) {
            byte[] bytes = file.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new CliException(
                        ExitCodes.USAGE,
                        shown(name) + " has more than " + (MOST_BYTES >> 20) + " MiB: more than a"
                                + " request may have");
            }
            return TextFile.decode(bytes);
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, shown(name) + " cannot be read: " + Failures.reason(e));
        }
    }

    private static String shown(String name) {
        return name.equals("-") ? "the standard input" : name;
    }
}
