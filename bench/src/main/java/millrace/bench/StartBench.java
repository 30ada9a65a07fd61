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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import millrace.gateway.GatewayMain;
import millrace.notifier.NotifierMain;
import millrace.processor.ProcessorMain;
import millrace.standalone.StandaloneMain;

/**
 * How long each service, and all of it in one process, takes from its start until it is ready, and what that costs in CPU;
 * with and without a cache of loaded classes and their profiles (an AOT cache), which a start before has written.
 */
public final class StartBench {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration GLANCE = Duration.ofMillis(5);

    private final Path folder;
    private final int rounds;
    private final HttpClient http = HttpClient.newHttpClient();

    private record What(String name, Class<?> main, List<String> jvmOptions, List<String> settings) {}

    /** Both in seconds; the CPU of all threads. */
    private record Start(double wall, double cpu) {}

    private StartBench(Path folder, int rounds) {
        this.folder = folder;
        this.rounds = rounds;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = Options.parse(arguments, "--rounds 7", "--rounds 1");
        Path folder = Files.createTempDirectory("millrace-start");
        try (Child kafka = KafkaMain.start(folder.resolve("kafka"))) {
            var bench = new StartBench(folder, options.number("rounds"));
            List<What> all = bench.all(KafkaMain.servers(kafka));
            System.out.println("seconds until ready, median (least to greatest), and CPU seconds until then");
            for (What what : all) {
                bench.measure(what);
            }
        }
        Folders.delete(folder);
    }

    private List<What> all(String kafka) throws IOException {
        Path accounts = Files.writeString(
                folder.resolve("accounts.yaml"), GatewayAlone.accounts().text());
        Path warehouse = Table.create(folder.resolve("warehouse"), 10, 2).warehouse();
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
                                "--processor.duckdb.temp-directory=" + folder.resolve("scratch"))),
                new What(
                        "notifier",
                        NotifierMain.class,
                        List.of("-Xmx512m"),
                        List.of(servers, "--accounts=" + accounts)),
                new What(
                        "./millrace, data there",
                        StandaloneMain.class,
                        List.of("-Xms256m", "-Xmx1g"),
                        List.of("--port=0", "--data=" + folder.resolve("data"))));
    }

    @SuppressWarnings("SystemOut")
    private void measure(What what) throws IOException, InterruptedException {
        start(what, List.of()); // makes what is made once
        List<Start> plain = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            plain.add(start(what, List.of()));
        }
        System.out.println(line(what.name, plain));
        Path cache = folder.resolve("cache.aot");
        start(what, List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot=off,aot+codecache=off"));
        List<Start> cached = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            cached.add(start(what, List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off")));
        }
        System.out.println(line(what.name + ", cache of " + (Files.size(cache) >> 20) + " MiB", cached));
        Files.delete(cache);
    }

    private static String line(String name, List<Start> starts) {
        return String.format(
                Locale.ROOT,
                "%-40s %-24s %s",
                name,
                Spread.of(starts.stream().map(Start::wall).toList()),
                Spread.of(starts.stream().map(Start::cpu).toList()));
    }

    private Start start(What what, List<String> jvmOptions) throws IOException, InterruptedException {
        int port = freePort();
        List<String> jvm = new ArrayList<>(what.jvmOptions);
        jvm.addAll(jvmOptions);
        List<String> settings = new ArrayList<>(what.settings);
        settings.add("--management.port=" + port);
        long began = System.nanoTime();
        Child child = Child.start(what.main, jvm, settings.toArray(String[]::new));
        awaitReady(child, URI.create("http://127.0.0.1:" + port + "/health/ready"));
        var start = new Start((System.nanoTime() - began) / 1e9, child.cpu().toNanos() / 1e9);
        child.end(PATIENCE);
        return start;
    }

    private void awaitReady(Child child, URI address) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady(address)) {
            if (!child.alive() || System.nanoTime() > deadline) {
                child.await("ready, which " + address + " did not say", Duration.ZERO);
            }
            TimeUnit.NANOSECONDS.sleep(GLANCE.toNanos());
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
