package millrace.e2e;

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
 * A data folder as a release has left it, and what that release said of it.
 *
 * @param said see {@link KeepDataFolderIT}
 */
record ReleaseDataFolder(Path data, JsonNode said) {
    /**
     * Where the receiver of the folder's webhooks was. The address of the loopback is one that nobody else takes, so that the
     * port is free.
     */
    static final InetSocketAddress RECEIVER = new InetSocketAddress("127.77.0.1", 18_077);

    private static final Path FOLDERS = Path.of("src", "test", "resources", "data-folders");
    private static final String SAID = "said.json";

    /** The names of the releases, as in the names of the files. */
    static List<String> releases() throws IOException {
        try (Stream<Path> files = Files.list(FOLDERS)) {
            return files.map(f -> f.getFileName().toString().replace(".zip", ""))
                    .sorted()
                    .toList();
        }
    }

    /** Unpacks it into a folder that is empty. */
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
        try (InputStream said = Files.newInputStream(data.resolve(SAID))) {
            return new ReleaseDataFolder(data, Json.MAPPER.readTree(said));
        }
    }

    JsonNode said(String name) {
        return said.path(name);
    }

    /** Packs a folder of which no process makes use, without what a start makes again. */
    static Path pack(String release, Path data, ObjectNode said) throws IOException {
        Files.writeString(
                data.resolve(SAID), Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(said));
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
