package millrace.catalog.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every line of {@code bad-requests.txt}: a dataset, then a whole body after {@code raw}, or what is changed in a good body; and
 * indented below it all errors, in order. {@code -Dgolden=write} writes what comes out now, to be read before it is kept.
 */
class BadRequestsTest {
    private static final Path FILE = Path.of("src/test/resources/bad-requests.txt");
    private static final String INDENT = "    ";

    record Row(String dataset, String body, List<String> expected) {
        static Row of(String line) {
            String[] parts = line.split(" ", 2);
            String rest = parts[1];
            boolean raw = rest.equals("raw") || rest.startsWith("raw ");
            String body = raw ? rest.substring(3).strip() : TestRequests.body(parts[0], rest);
            return new Row(parts[0], body.replace("⏎", "\n").replace("␀", "\0"), new ArrayList<>());
        }

        List<String> errors() {
            CheckedRequest checked = TestRequests.check(dataset, body);
            return checked instanceof CheckedRequest.Invalid(List<String> errors, List<String> warnings)
                    ? errors
                    : List.of();
        }
    }

    @TestFactory
    List<DynamicTest> eachIsRefusedWithItsSentences() throws IOException {
        if (System.getProperty("golden", "").equals("write")) {
            write();
        }
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.dataset() + " " + row.body(),
                        () -> assertThat(row.errors()).isNotEmpty().isEqualTo(row.expected())))
                .toList();
    }

    @Test
    void thereAreManyAndEachSentenceNamesItsField() throws IOException {
        assertThat(rows()).hasSizeGreaterThan(100);
        assertThat(rows()).allSatisfy(row -> assertThat(row.expected())
                .allSatisfy(sentence -> assertThat(sentence).matches("([a-z_.]+(\\[\\d+])?: |and [\\d,]+ more).*")));
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(FILE)) {
            if (line.startsWith(INDENT)) {
                rows.getLast().expected().add(line.strip());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                rows.add(Row.of(line));
            }
        }
        return rows;
    }

    private static void write() throws IOException {
        List<String> out = new ArrayList<>();
        for (String line : Files.readAllLines(FILE)) {
            if (!line.startsWith(INDENT)) {
                out.add(line);
                if (!line.isBlank() && !line.startsWith("#")) {
                    Row.of(line).errors().forEach(e -> out.add(INDENT + e));
                }
            }
        }
        Files.write(FILE, out);
    }
}
