package millrace.runtime.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Native libraries that jars have unpacked into the temporary folder, 90 MB a process. Their loaders remove them where a JVM
 * exits, which one that is halted or killed does not. What is loaded needs no name any more.
 */
final class UnpackedLibraries {
    private static final List<String> NAMES = List.of("libduckdb_java", "librocksdbjni", "liblz4-java", "libzstd-jni");
    private static final Path LOADED = Path.of("/proc/self/maps");

    private UnpackedLibraries() {}

    /** Removes the names of those that this process has loaded; on Linux only, elsewhere they stay. */
    static void remove() {
        if (Files.notExists(LOADED)) {
            return;
        }
        try (Stream<String> lines = Files.lines(LOADED)) {
            for (String path : lines.filter(line -> line.endsWith(".so"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .filter(UnpackedLibraries::isUnpacked)
                    .distinct()
                    .toList()) {
                Files.deleteIfExists(Path.of(path));
                Files.deleteIfExists(Path.of(path + ".lck"));
            }
        } catch (IOException e) {
            // They stay where they are, as after a kill.
        }
    }

    private static boolean isUnpacked(String path) {
        Path file = Path.of(path);
        return Path.of(System.getProperty("java.io.tmpdir")).equals(file.getParent())
                && NAMES.stream().anyMatch(file.getFileName().toString()::startsWith);
    }
}
