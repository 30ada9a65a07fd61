package millrace.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where the sources are. */
final class Sources {
    static final Path ROOT = Path.of(System.getProperty("root", ".."));

    /** Comments, text blocks, strings and characters, whichever begins first. */
    static final Pattern TOKENS = Pattern.compile(
            "//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'", Pattern.DOTALL);

    private Sources() {}

    /** The folder of each module that has code. */
    static List<Path> modules() throws IOException {
        List<Path> modules = new ArrayList<>();
        for (Path parent : List.of(ROOT, ROOT.resolve("libs"), ROOT.resolve("clients"))) {
            try (Stream<Path> folders = Files.list(parent)) {
                folders.filter(folder -> Files.isDirectory(folder.resolve("src")))
                        .forEach(modules::add);
            }
        }
        return modules;
    }

    /** The Java files of the main code. */
    static List<Path> main() throws IOException {
        List<Path> main = new ArrayList<>();
        for (Path module : modules()) {
            Path root = module.resolve("src/main/java");
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(main::add);
                }
            }
        }
        return main.stream().sorted().toList();
    }

    /** A source without its comments, and with empty texts. */
    static String withoutTexts(String source) {
        return TOKENS.matcher(source)
                .replaceAll(token ->
                        token.group().startsWith("/") ? "" : token.group().startsWith("'") ? "' '" : "\"\"");
    }
}
