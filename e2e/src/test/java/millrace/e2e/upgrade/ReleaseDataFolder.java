package millrace.e2e.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import millrace.contracts.Json;

/**
 * A data folder of a release, and the answers of that release.
 *
 * @param recorded answers that {@link KeepDataFolderIT} has recorded
 */
record ReleaseDataFolder(Path data, JsonNode recorded) {
    /**
     * The address of the receiver of the folder's webhooks. Nobody else uses this loopback address, so that the port is
     * free.
     */
    static final InetSocketAddress RECEIVER = new InetSocketAddress("127.77.0.1", 18_077);

    private static final Path FOLDERS = Path.of("src", "test", "resources", "data-folders");
    private static final String RECORDED = "said.json";

    /** The names of the releases, from the names of the files. */
    static List<String> releases() throws IOException {
        try (Stream<Path> files = Files.list(FOLDERS)) {
            return files.map(f -> f.getFileName().toString().replace(".zip", ""))
                    .sorted()
                    .toList();
        }
    }

    /** Unpacks the folder of a release into an empty folder. */
    static ReleaseDataFolder unpack(String release, Path data) throws IOException {
        try (var zip = new ZipInputStream(Files.newInputStream(FOLDERS.resolve(release + ".zip")))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = data.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        try (InputStream recorded = Files.newInputStream(data.resolve(RECORDED))) {
            return new ReleaseDataFolder(data, Json.MAPPER.readTree(recorded));
        }
    }

    JsonNode recorded(String name) {
        return recorded.path(name);
    }

    /** Packs a folder that no process uses, without files that a start creates again. */
    static Path pack(String release, Path data, ObjectNode recorded) throws IOException {
        Files.writeString(
                data.resolve(RECORDED),
                Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(recorded));
        Path packed = Files.createDirectories(FOLDERS).resolve(release + ".zip");
        try (Stream<Path> files = Files.walk(data);
                OutputStream out = Files.newOutputStream(packed);
                var zip = new ZipOutputStream(out)) {
            files.filter(f -> !f.startsWith(data.resolve("scratch"))).sorted().forEach(f -> add(zip, data, f));
        }
        return packed;
    }

    private static void add(ZipOutputStream zip, Path data, Path file) {
        try {
            String name = data.relativize(file).toString();
            if (Files.isDirectory(file)) {
                zip.putNextEntry(new ZipEntry(name + "/"));
            } else {
                zip.putNextEntry(new ZipEntry(name));
                Files.copy(file, zip);
            }
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
