package millrace.bench.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Folders;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import org.jspecify.annotations.Nullable;

/** PostgreSQL on the loopback interface, in a temporary folder that is deleted at the end. */
final class PostgreSql implements AutoCloseable {
    static final String USER = "postgres";

    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
    private static final String READY = "database system is ready to accept connections";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int DELETIONS = 20;
    private static final String DATASET = "site_keywords";
    private static final String KEYS = "domain, country, date, keyword";
    private static final List<String> METRICS = List.of(
            "desktop_keywords_total_visits",
            "desktop_keywords_organic_visits",
            "desktop_keywords_paid_visits",
            "desktop_keywords_total_share",
            "desktop_keywords_organic_share",
            "desktop_keywords_paid_share");

    private final Path programs;
    private final boolean forced;
    private final Path folder = Files.createTempDirectory("millrace-beside");
    private final Path data = folder.resolve("data");
    private final int port = freePort();
    /** Of its commands: PostgreSQL refuses to run as root. */
    private final List<String> asOther;

    private volatile @Nullable ChildProcess server;

    /**
     * @param programs the folder with {@code initdb} and {@code postgres}
     * @param forced whether what is committed survives a power failure, and not only the end of processes
     */
    PostgreSql(Path programs, boolean forced) throws IOException {
        this.programs = programs;
        this.forced = forced;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        asOther = asOther(data);
        // Ordered by bytes, as Millrace orders.
        String created = run(
                "initdb", "-D", data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            throw new IllegalStateException("initdb failed:\n" + created);
        }
    }

    /** The programs of the newest version that is installed as Debian does it. */
    static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(PACKAGES)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(PACKAGES)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin ->
                            Files.isExecutable(bin.resolve("initdb")) && Files.isExecutable(bin.resolve("postgres")))
                    .max(Comparator.comparingInt(bin -> Integer.parseInt(
                            "0" + bin.getName(bin.getNameCount() - 2).toString().replaceAll("\\D.*", ""))));
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static List<String> asOther(Path owned) throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        for (String user : List.of("postgres", "nobody")) {
            try {
                UserPrincipal owner =
                        owned.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
                Files.setOwner(owned, owner);
                String group = output(new ProcessBuilder("id", "-g", user));
                return List.of("setpriv", "--reuid=" + user, "--regid=" + group.strip(), "--clear-groups");
            } catch (UserPrincipalNotFoundException e) {
                // The next one.
            }
        }
        throw new IllegalStateException("PostgreSQL does not run as root, and there is no user postgres or nobody");
    }

    private String run(String program, String... arguments) throws IOException {
        return output(new ProcessBuilder(command(program, arguments)).directory(folder.toFile()));
    }

    private static String output(ProcessBuilder command) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private List<String> command(String program, String... arguments) {
        return Stream.of(asOther.stream(), Stream.of(programs.resolve(program).toString()), Stream.of(arguments))
                .flatMap(words -> words)
                .toList();
    }

    Path folder() {
        return folder;
    }

    /** For JDBC. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Starts it and waits until it is ready. */
    ChildProcess start() throws IOException, InterruptedException {
        String onDisk = forced ? "on" : "off";
        List<String> command = command(
                "postgres",
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "shared_buffers=512MB",
                "-c",
                "fsync=" + onDisk);
        ChildProcess started = ChildProcess.start(command, folder);
        server = started;
        String unused = started.await(READY, TIMEOUT);
        return started;
    }

    /** Makes the table that reports are read from: what small reports can have of Millrace's demo data. */
    void load(Path warehouse) throws IOException, InterruptedException, SQLException {
        Path rows = folder.resolve("rows.csv");
        export(warehouse, rows);
        try (ChildProcess unused = start()) {
            execute(
                    "CREATE SCHEMA warehouse",
                    "CREATE TABLE warehouse.site_keywords (domain text, country text, date date, keyword text, "
                            + String.join(" double precision, ", METRICS) + " double precision)",
                    "COPY warehouse.site_keywords FROM '" + rows + "' (FORMAT csv)",
                    "CREATE INDEX ON warehouse.site_keywords (domain, country, date)",
                    "VACUUM ANALYZE warehouse.site_keywords");
        }
        Files.delete(rows);
    }

    private static void export(Path warehouse, Path rows) throws IOException, SQLException {
        String version = new WarehouseFolder(warehouse, InstantSource.system())
                .current(DATASET)
                .orElseThrow(() -> new IllegalStateException("there are no demo data in " + warehouse));
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute("ATTACH '" + warehouse.resolve(DATASET).resolve(version + ".duckdb") + "' AS demo (READ_ONLY)");
            sql.execute("COPY (SELECT " + KEYS + ", " + String.join(", ", METRICS)
                    + " FROM demo.site_keywords WHERE granularity = 'weekly' AND NOT subdomains ORDER BY " + KEYS
                    + ") TO '"
                    + rows + "' (HEADER false)");
        }
        Files.setPosixFilePermissions(rows, PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** Deletes what the service has stored; the table that reports are read from stays. */
    void empty() throws SQLException {
        execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
    }

    private void execute(String... statements) throws SQLException {
        try (Connection db = DriverManager.getConnection(url(), USER, "");
                Statement sql = db.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
        }
    }

    /** Ends the server, if it runs, and deletes the folder. */
    @Override
    public void close() {
        try {
            kill();
            // Processes that are being killed may still write.
            for (int i = 1; Files.exists(folder); i++) {
                try {
                    Folders.delete(folder);
                } catch (IOException | UncheckedIOException e) {
                    if (i == DELETIONS) {
                        throw e;
                    }
                    LockSupport.parkNanos(POLL.toNanos());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void kill() throws InterruptedException {
        ChildProcess running = server;
        if (running != null && running.alive()) {
            ProcessHandle.of(running.pid()).stream()
                    .flatMap(ProcessHandle::descendants)
                    .forEach(ProcessHandle::destroyForcibly);
            running.kill();
        }
    }
}
