package millrace.bench.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.gateway.bootstrap.GatewayMain;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;

/** A gateway as a process, with two accounts that may do everything. */
public record SingleGateway(ChildProcess process, String address) implements AutoCloseable {
    public static final String ACCOUNT = "bench";

    public static final String KEY = "bench-key";
    /** Key of the second account. */
    public static final String OTHER_KEY = "other-key";
    /** Heap options of the gateway's image. */
    public static final List<String> IMAGE_OPTIONS = Stream.concat(
                    StandaloneService.HEAP.stream(), Stream.of("-XX:+UseCompactObjectHeaders"))
            .toList();

    private static final String STARTED = "gateway started address=";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration SLOW_POLL = Duration.ofMillis(500);

    /** Starts it with the heap options of its image, and waits until it is ready. */
    public static SingleGateway start(Path folder, String kafka, List<String> jvmOptions)
            throws IOException, InterruptedException {
        return start(folder, kafka, jvmOptions, accounts());
    }

    /** As {@link #start(Path, String, List)}, with other accounts, and further settings. */
    public static SingleGateway start(
            Path folder, String kafka, List<String> jvmOptions, AccountsFile declared, String... settings)
            throws IOException, InterruptedException {
        return start(folder, folder, kafka, jvmOptions, declared, settings);
    }

    /**
     * As {@link #start(Path, String, List)}, one of several with the same reports, secrets and accounts.
     *
     * @param own folder of this gateway alone
     */
    public static SingleGateway start(
            Path shared, Path own, String kafka, List<String> jvmOptions, AccountsFile declared, String... settings)
            throws IOException, InterruptedException {
        Path accounts = shared.resolve("accounts.yaml");
        if (Files.notExists(accounts) || !Files.readString(accounts).equals(declared.text())) {
            Files.writeString(accounts, declared.text()); // not while another gateway may read the same
        }
        List<String> options = new ArrayList<>(IMAGE_OPTIONS);
        options.addAll(jvmOptions);
        List<String> arguments = new ArrayList<>(List.of(
                "--gateway.port=0",
                "--gateway.accounts=" + accounts,
                "--storage.reports=" + shared.resolve("reports"),
                "--gateway.activity.directory=" + own.resolve("activity"),
                "--gateway.read-model.directory=" + own.resolve("read-model"),
                "--gateway.deliveries.directory=" + own.resolve("deliveries"),
                "--storage.link-secret=" + shared.resolve("link-secret"),
                "--gateway.requests-per-second=100000000",
                "--gateway.open-reports=100000000",
                "--kafka.bootstrap.servers=" + kafka));
        arguments.addAll(List.of(settings));
        ChildProcess process = ChildProcess.start(GatewayMain.class, options, arguments.toArray(String[]::new));
        String line = process.await(STARTED, TIMEOUT);
        String address = line.substring(line.indexOf(STARTED) + STARTED.length(), line.indexOf(" instanceId="));
        var gateway = new SingleGateway(process, address);
        gateway.awaitReady();
        return gateway;
    }

    /** A request for five domains in three countries over ten months, the size of most requests. */
    public HttpRequest post(String operation, long number) {
        String body = """
                {"domains":["a%1$d.example","b%1$d.example","c%1$d.example","d%1$d.example","e%1$d.example"],
                 "countries":["US","GB","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2025-01","end_date":"2025-10","granularity":"monthly"}""".formatted(number);
        return request("/v3/batch/demographics/" + operation)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    public HttpRequest.Builder request(String path) {
        return request(path, KEY);
    }

    HttpRequest.Builder request(String path, String key) {
        return HttpLoad.request(URI.create(address + path)).header("api-key", key);
    }

    @Override
    public void close() {
        process.close();
    }

    private void awaitReady() throws InterruptedException {
        HttpRequest readiness = HttpRequest.newBuilder(URI.create(address + "/health/readiness"))
                .build();
        await(readiness, POLL);
    }

    /** Waits until it has read what happened to the account of the key, which it is ready without. */
    public void awaitActivity(String key) throws InterruptedException {
        await(request("/v3/batch/credits/entries?limit=1", key).build(), SLOW_POLL);
    }

    /** Waits for a status 200, as long as other answers change. */
    private static void await(HttpRequest request, Duration poll) throws InterruptedException {
        String last = "";
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            while (answer.statusCode() != 200) {
                if (!answer.body().equals(last)) {
                    last = answer.body();
                    deadline = System.nanoTime() + TIMEOUT.toNanos();
                } else if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(request.uri() + " has answered for " + TIMEOUT + ": " + last);
                }
                LockSupport.parkNanos(poll.toNanos());
                answer = http.send(request, BodyHandlers.ofString());
            }
        } catch (IOException e) {
            throw new IllegalStateException("the gateway does not answer", e);
        }
    }

    public static AccountsFile accounts() {
        return new AccountsFile(List.of(account(ACCOUNT, KEY), account("other", OTHER_KEY)));
    }

    /** An account that may do everything. */
    public static DeclaredAccount account(String id, String key) {
        var all = new DeclaredAccount.Entitlement(
                List.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));
        return new DeclaredAccount(
                id,
                "Benchmark",
                List.of(new DeclaredAccount.Key(DeclaredAccount.Kind.BATCH, Hashes.sha256(key), null, null)),
                1_000_000_000_000L,
                Map.of("web_desktop_data", all, "web_mobile_data", all),
                null,
                List.of());
    }
}
