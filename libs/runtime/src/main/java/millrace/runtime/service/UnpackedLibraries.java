package millrace.runtime.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes native libraries that jars have unpacked into the temporary folder, 90 MB a process.
 * Their loaders delete them when a JVM exits, but not when it is halted or killed. A loaded library
 * does not need its file any more.
 */
final class UnpackedLibraries {
    private static final List<String> NAMES =
            List.of("libduckdb_java", "librocksdbjni", "liblz4-java", "libzstd-jni", "snappy-");
    private static final Path LOADED = Path.of("/proc/self/maps");

    private UnpackedLibraries() {}

    /** Deletes the files of the libraries that this process has loaded. Works on Linux only. */
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
            // The files stay, as after a kill.
        }
    }

    private static boolean isUnpacked(String path) {
        Path file = Path.of(path);
        return Path.of(System.getProperty("java.io.tmpdir")).equals(file.getParent())
                && NAMES.stream().anyMatch(file.getFileName().toString()::startsWith);
    }
}
