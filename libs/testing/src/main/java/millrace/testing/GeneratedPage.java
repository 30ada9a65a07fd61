package millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A page of {@code docs/reference} that has a generated part between two marks. A test compares the
 * page with the program; with {@code -Dreference=write} it writes the page first.
 */
public final class GeneratedPage {
    /** From the folder of a module, which may be in a folder of modules. */
    private static final Path FOLDER = Stream.of("..", "../..")
            .map(root -> Path.of(root, "docs", "reference"))
            .filter(Files::isDirectory)
            .findFirst()
            .orElseThrow();

    private static final String BEGIN = "<!-- generated: begin -->\n";
    private static final String END = "<!-- generated: end -->";

    private GeneratedPage() {}

    /**
     * @param name of the file
     * @param generated the generated part; ends with a line break
     * @param write options of mvn that run the calling test
     * @throws AssertionError where the page differs
     */
    public static void check(String name, String generated, String write) throws IOException {
        Path file = FOLDER.resolve(name);
        String page = Files.readString(file);
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new AssertionError("docs/reference/" + name + " has no lines " + BEGIN + "and " + END);
        }
        String expected = page.substring(0, begin + BEGIN.length()) + "\n" + generated + "\n" + page.substring(end);
        if (System.getProperty("reference", "check").equals("write")) {
            Files.writeString(file, expected);
        } else if (!page.equals(expected)) {
            throw new AssertionError("docs/reference/" + name + " is not what the program says. To write it: mvn -q "
                    + write + " -Dreference=write. What the program says:\n" + generated);
        }
    }
}
