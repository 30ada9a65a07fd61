package millrace.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Trino server on a free loopback port. Available with {@code -Ptrino}. */
public final class TestTrino implements AutoCloseable {
    public static final String MISSING = "no Trino: mvn -Ptrino fetches a server and runs the test on it";

    private static final String ARCHIVE = System.getProperty("trino.archive", "");
    private static final String STARTED = "SERVER STARTED";

    private final Process server;
    private final int port;

    private TestTrino(Process server, int port) {
        this.server = server;
        this.port = port;
    }

    public static boolean isHere() {
        return !ARCHIVE.isEmpty();
    }

    /** Starts a server with the catalog {@code memory}: tables in memory. */
    public static TestTrino startInMemory(Path folder) throws IOException, InterruptedException {
        Path configuration = folder.resolve("configuration");
        Path catalogs = Files.createDirectories(configuration.resolve("catalog"));
        Files.writeString(catalogs.resolve("memory.properties"), "connector.name=memory\n");
        Files.writeString(configuration.resolve("jvm.config"), "-Xmx2G\n");
        return start(folder, configuration, Map.of());
    }

    /**
     * Starts the server, which takes about 20 s, and twice as long at the first time, for
     * unpacking.
     *
     * @param configuration a folder with what goes into that of the server, {@code etc}: {@code
     *     jvm.config}, catalogs and their files
     * @param environment for the configuration
     */
    public static TestTrino start(Path folder, Path configuration, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path home = home();
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Path etc = Files.createDirectories(folder.resolve("etc"));
        try (Stream<Path> files = Files.walk(configuration)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = etc.resolve(configuration.relativize(file).toString());
                Files.createDirectories(copy.resolveSibling(""));
                Files.copy(file, copy);
            }
        }
        Files.writeString(etc.resolve("node.properties"), """
                node.environment=test
                node.bind-ip=127.0.0.1
                node.internal-address=127.0.0.1
                node.data-dir=%s
                """.formatted(folder.resolve("data")));
        Files.writeString(etc.resolve("config.properties"), """
                coordinator=true
                node-scheduler.include-coordinator=true
                http-server.http.port=%d
                discovery.uri=http://127.0.0.1:%d
                catalog.management=static
                """.formatted(port, port));
        var builder = new ProcessBuilder(home.resolve("bin/launcher").toString(), "run", "--etc-dir", etc.toString())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .merge("PATH", System.getProperty("java.home") + "/bin", (path, java) -> java + ":" + path);
        Process server = builder.start();
        var log = new StringBuilder();
        var lines = server.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            log.append(line).append('\n');
            if (line.contains(STARTED)) {
                // The server would block on a full pipe.
                Thread.ofVirtual().start(() -> lines.lines().forEach(more -> {}));
                return new TestTrino(server, port);
            }
        }
        throw new IOException("Trino does not start:\n" + log);
    }

    /**
     * Unpacks with tar, since most files of the archive are hard links, which Maven would unpack as
     * empty files.
     */
    private static Path home() throws IOException, InterruptedException {
        Path archive = Path.of(ARCHIVE);
        Path home = archive.resolveSibling(archive.getFileName().toString().replace(".tar.gz", ""));
        Path whole = home.resolve("unpacked");
        if (!Files.exists(whole)) {
            var tar = new ProcessBuilder(
                    "tar", "-xzf", ARCHIVE, "-C", archive.resolveSibling("").toString());
            if (tar.inheritIO().start().waitFor() != 0) {
                throw new IOException("cannot unpack " + ARCHIVE);
            }
            Files.createFile(whole);
        }
        return home;
    }

    /** @param schema with its catalog, for example {@code memory/default} */
    public String address(String schema) {
        return "jdbc:trino://127.0.0.1:" + port + "/" + schema;
    }

    /** @param schema as in {@link #address} */
    public Connection connect(String schema) throws SQLException {
        return DriverManager.getConnection(address(schema) + "?explicitPrepare=false", "millrace", null);
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> all = server.descendants().toList();
        server.destroy();
        all.forEach(ProcessHandle::destroy);
        server.waitFor();
    }
}
