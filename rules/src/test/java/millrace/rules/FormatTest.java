package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every source file is as the formatter writes it. A test, and not a build plugin, because the formatter parses with the
 * compiler of the JDK it runs on: tests run on the project's JDK, Maven itself may run on an older one.
 */
class FormatTest {
    private static final boolean APPLY = System.getProperty("format", "check").equals("apply");
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(false)
            .build());

    @Test
    void sourcesAreFormatted() throws IOException, FormatterException {
        List<Path> unformatted = new ArrayList<>();
        for (Path file : sources()) {
            String text = Files.readString(file);
            String formatted = format(file, text);
            if (!text.equals(formatted)) {
                unformatted.add(file);
                if (APPLY) {
                    Files.writeString(file, formatted);
                }
            }
        }
        if (!APPLY) {
            assertThat(unformatted)
                    .as("not formatted; run: mvn -q -pl rules test -Dformat=apply")
                    .isEmpty();
        }
    }

    private static String format(Path file, String text) throws FormatterException {
        try {
            String ordered = ImportOrderer.reorderImports(
                    RemoveUnusedImports.removeUnusedImports(text), JavaFormatterOptions.Style.PALANTIR);
            return FORMATTER.formatSource(ordered);
        } catch (FormatterException e) {
            throw new IllegalStateException(file + " cannot be parsed", e);
        }
    }

    private static List<Path> sources() throws IOException {
        Path root = Path.of(System.getProperty("root", ".."));
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(f -> f.toString().endsWith(".java"))
                    .filter(f -> !root.relativize(f).toString().matches("(.*/)?(target|data|\\.git)/.*"))
                    .sorted()
                    .toList();
        }
    }
}
