package millrace.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.Measurements;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.StandaloneService;
import millrace.bench.process.TemporaryFolders;
import millrace.bench.rendering.DemographicsTable;
import millrace.gateway.bootstrap.GatewayMain;
import millrace.notifier.bootstrap.NotifierMain;
import millrace.processor.bootstrap.ProcessorMain;
import millrace.standalone.StandaloneMain;

/**
 * Measures the time and CPU from the start of each service, and of all in one process, until it is
 * ready, with and without an archive of loaded classes (as the launcher uses), and with an AOT
 * cache, which also has profiles of methods.
 */
public final class StartBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final Path folder;
    private final int rounds;
    private final HttpClient http = HttpClient.newHttpClient();

    private record What(String name, Class<?> main, List<String> jvmOptions, List<String> settings) {}

    /** Files that a start can write for later starts. */
    private enum Kept {
        CLASSES("archive"),
        AOT("AOT cache");

        private final String words;

        Kept(String words) {
            this.words = words;
        }

        List<String> write(Path file) {
            return switch (this) {
                case CLASSES -> List.of("-XX:ArchiveClassesAtExit=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
                case AOT -> List.of("-XX:AOTCacheOutput=" + file, "-Xlog:aot=off,aot+codecache=off");
            };
        }

        List<String> use(Path file) {
            return switch (this) {
                case CLASSES -> List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
                case AOT -> List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off");
            };
        }
    }

    /** Both in seconds; the CPU time is that of all threads. */
    private record Start(double wall, double cpu) {}

    private StartBench(Path folder, int rounds) {
        this.folder = folder;
        this.rounds = rounds;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options =
                BenchOptions.parse(arguments, "--rounds 7 --of gateway,processor,notifier,millrace", "--rounds 1");
        Path folder = Files.createTempDirectory("millrace-start");
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            var bench = new StartBench(folder, options.number("rounds"));
            List<What> all = bench.all(KafkaMain.servers(kafka));
            System.out.println("seconds until ready, median (least to greatest), and CPU seconds until then");
            for (What what : all) {
                if (Arrays.stream(options.text("of").split(",")).anyMatch(what.name::contains)) {
                    bench.measure(what);
                }
            }
        }
        TemporaryFolders.delete(folder);
    }

    private List<What> all(String kafka) throws IOException {
        Path accounts = Files.writeString(
                folder.resolve("accounts.yaml"), SingleGateway.accounts().text());
        Path warehouse =
                DemographicsTable.create(folder.resolve("warehouse"), 10, 2).warehouse();
        String servers = "--kafka.bootstrap.servers=" + kafka;
        String reports = "reports=" + folder.resolve("reports");
        String secret = "link-secret=" + folder.resolve("link-secret");
        return List.of(
                new What(
                        "gateway",
                        GatewayMain.class,
                        List.of("-Xmx512m"),
                        List.of(
                                servers,
                                "--gateway.port=0",
                                "--gateway.accounts=" + accounts,
                                "--gateway." + reports,
                                "--gateway.activity.directory=" + folder.resolve("activity"),
                                "--gateway.read-model.directory=" + folder.resolve("read-model"),
                                "--gateway.deliveries.directory=" + folder.resolve("deliveries"),
                                "--gateway." + secret)),
                new What(
                        "processor",
                        ProcessorMain.class,
                        List.of("-Xmx512m"),
                        List.of(
                                servers,
                                "--processor.warehouse=" + warehouse,
                                "--processor." + reports,
                                "--processor." + secret,
                                "--processor.public-address=http://127.0.0.1:8080",
                                "--processor.state=" + folder.resolve("state"),
                                "--processor.standbys=0",
                                "--processor.duckdb.temp-directory=" + folder.resolve("scratch"))),
                new What(
                        "notifier",
                        NotifierMain.class,
                        List.of("-Xmx512m"),
                        List.of(servers, "--accounts=" + accounts)),
                new What(
                        "./millrace, data there",
                        StandaloneMain.class,
                        List.of(StandaloneService.jvmOptions()),
                        List.of("--port=0", "--data=" + folder.resolve("data"))));
    }

    @SuppressWarnings("SystemOut")
    private void measure(What what) throws IOException, InterruptedException {
        start(what, List.of()); // creates what is created once
        System.out.println(line(what.name, starts(what, List.of())));
        for (Kept kept : Kept.values()) {
            Path file = folder.resolve("kept");
            start(what, kept.write(file));
            String name = what.name + ", " + kept.words + " of " + (Files.size(file) >> 20) + " MiB";
            System.out.println(line(name, starts(what, kept.use(file))));
            Files.delete(file);
        }
    }

    private List<Start> starts(What what, List<String> jvmOptions) throws IOException, InterruptedException {
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            starts.add(start(what, jvmOptions));
        }
        return starts;
    }

    private static String line(String name, List<Start> starts) {
        return String.format(
                Locale.ROOT,
                "%-44s %-24s %s",
                name,
                Measurements.of(starts.stream().map(Start::wall).toList()),
                Measurements.of(starts.stream().map(Start::cpu).toList()));
    }

    private Start start(What what, List<String> jvmOptions) throws IOException, InterruptedException {
        int port = freePort();
        List<String> jvm = new ArrayList<>(what.jvmOptions);
        jvm.addAll(jvmOptions);
        List<String> settings = new ArrayList<>(what.settings);
        settings.add("--management.port=" + port);
        long began = System.nanoTime();
        ChildProcess child = ChildProcess.start(what.main, jvm, settings.toArray(String[]::new));
        awaitReady(child, URI.create("http://127.0.0.1:" + port + "/health/ready"));
        var start = new Start((System.nanoTime() - began) / 1e9, child.cpu().toNanos() / 1e9);
        child.end(TIMEOUT);
        return start;
    }

    private void awaitReady(ChildProcess child, URI address) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isReady(address)) {
            if (!child.alive() || System.nanoTime() > deadline) {
                child.await("ready, which " + address + " did not say", Duration.ZERO);
            }
            TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
        }
    }

    private boolean isReady(URI address) throws InterruptedException {
        try {
            return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false; // not there yet
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
