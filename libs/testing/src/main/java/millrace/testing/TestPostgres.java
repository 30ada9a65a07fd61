package millrace.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of the machine's own binaries, on a free port of the loopback, in a folder
 * that is deleted.
 */
public final class TestPostgres implements AutoCloseable {
    public static final String MISSING =
            "no PostgreSQL here (initdb is neither in PATH nor below /usr/lib/postgresql):" + " its tests are skipped";
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private final Path binaries;
    private final Path folder;
    private final int port;

    private TestPostgres(Path binaries, Path folder, int port) {
        this.binaries = binaries;
        this.folder = folder;
        this.port = port;
    }

    /** Empty where the machine has no PostgreSQL. */
    public static Optional<TestPostgres> start() throws IOException, InterruptedException {
        Optional<Path> binaries = binaries();
        if (binaries.isEmpty()) {
            return Optional.empty();
        }
        Path folder = Files.createTempDirectory("millrace-postgres-");
        if (ROOT) {
            run(List.of("chown", "postgres", folder.toString()));
        }
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var server = new TestPostgres(binaries.get(), folder, port);
        server.asPostgres("initdb", "-D", server.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync");
        server.up();
        return Optional.of(server);
    }

    public void up() throws IOException, InterruptedException {
        String options =
                "-p " + port + " -c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories=" + folder;
        asPostgres("pg_ctl", "-D", data(), "-w", "-l", folder.resolve("log").toString(), "-o", options, "start");
    }

    /** Stops the server at once, as a loss of power would. */
    public void down() throws IOException, InterruptedException {
        asPostgres("pg_ctl", "-D", data(), "-w", "-m", "immediate", "stop");
    }

    public String address() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(address(), "postgres", "");
    }

    /** Number of Millrace's statements that run on the server. */
    public long running() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE application_name = 'millrace' AND state = 'active'"
                        + " AND query NOT LIKE '%millrace_versions%'")) {
            found.next();
            return found.getLong(1);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        down();
        run(List.of("rm", "-rf", folder.toString()));
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private void asPostgres(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (ROOT) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.add(binaries.resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(90, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("failed: " + String.join(" ", command));
        }
    }

    private static Optional<Path> binaries() throws IOException {
        List<Path> places = new ArrayList<>();
        for (String place : System.getenv("PATH").split(":", -1)) {
            places.add(Path.of(place));
        }
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.map(v -> v.resolve("bin")).forEach(places::add);
            }
        }
        return places.stream()
                .filter(p -> Files.isExecutable(p.resolve("initdb")) && Files.isExecutable(p.resolve("pg_ctl")))
                .findFirst();
    }
}
