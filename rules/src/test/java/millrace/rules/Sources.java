package millrace.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where the sources are. */
final class Sources {
    static final Path ROOT = Path.of(System.getProperty("root", ".."));

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
}
