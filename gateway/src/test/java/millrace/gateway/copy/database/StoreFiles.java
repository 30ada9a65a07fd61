package millrace.gateway.copy.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a store whose process is killed. */
public final class StoreFiles {
    private StoreFiles() {}

    /** Copies the files of one moment: again, where RocksDB has changed some meanwhile. */
    public static void copy(Path from, Path to) {
        try {
            for (Map<String, Long> before = Map.of(); !before.equals(sizes(from)); ) {
                before = sizes(from);
                LocalDatabase.delete(to);
                Files.createDirectories(to.resolve("store"));
                for (String file : before.keySet()) {
                    Files.copy(from.resolve(file), to.resolve(file));
                }
            }
        } catch (NoSuchFileException e) {
            copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Long> sizes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            Map<String, Long> sizes = new TreeMap<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sizes.put(folder.relativize(file).toString(), Files.size(file));
            }
            return sizes;
        } catch (UncheckedIOException e) {
            throw e.getCause(); // of the walk, where a file is deleted meanwhile
        }
    }
}
