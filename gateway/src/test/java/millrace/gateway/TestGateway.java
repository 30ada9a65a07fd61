package millrace.gateway;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import millrace.catalog.Catalog;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import millrace.files.SignedLinks;
import millrace.files.StorageSettings;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportStore;
import millrace.gateway.admission.QuoteTokens;
import millrace.gateway.bootstrap.Gateway;
import millrace.gateway.bootstrap.GatewayDependencies;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.settings.AdminSettings;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.ConsoleSettings;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.settings.TlsSettings;
import millrace.gateway.statements.StatementSigner;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.settings.DiskSettings;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import org.jspecify.annotations.Nullable;

/** A gateway on a real port, and a client for it. */
public final class TestGateway implements AutoCloseable {
    public static final String KEY = "batch-key-of-acme";
    public static final String READING_KEY = "reading-key-of-acme";
    public static final String REST_KEY = "rest-key-of-acme";
    public static final String OFF_KEY = "switched-off-key-of-acme";
    public static final String OTHER_KEY = "batch-key-of-other";
    public static final String ORIGINAL_KEY = "original-key-of-acme";
    public static final String SLOW_KEY = "batch-key-of-slow";
    public static final String PACED_KEY = "batch-key-of-paced";
    public static final String SECRETLESS_KEY = "batch-key-of-secretless";
    public static final String ADMIN_KEY = "an-admin-key-of-the-test";
    public static final String ALLOWED_ORIGIN = "https://app.example.com";
    public static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    /** The seed of 32 zeros; its public key is well known. */
    private static final String ED25519 = "whsk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    public static final String REQUEST = """
            {"domains":["example.com","example.org"],"countries":["US","GB"],
             "metrics":["demographics_share","demographics_bounce_rate"],
             "start_date":"2025-01","end_date":"2025-02","granularity":"monthly"}""";

    /** The defaults. */
    public static final ConnectionSettings CONNECTION =
            Settings.sectionOf("connection", ConnectionSettings.class, Map.of());

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Of accounts with a limit of their own; the others may submit, and so read, more often. */
    public static final int READS_PER_SECOND = 40;

    private static final long LEAST_FREE = 1_000;

    private final Gateway gateway;
    private final AtomicLong free;
    private final Path own;
    private final SimpleMeterRegistry meters;

    private TestGateway(Gateway gateway, SimpleMeterRegistry meters, AtomicLong free, Path own) {
        this.gateway = gateway;
        this.free = free;
        this.own = own;
        this.meters = meters;
    }

    public static TestGateway start(String bootstrapServers, Path reports) {
        TestGateway started = startUnready(bootstrapServers, reports, Duration.ofSeconds(3));
        await().atMost(Duration.ofSeconds(30)).until(started.gateway::ready);
        return started;
    }

    public static TestGateway startUnready(String bootstrapServers, Path reports, Duration acknowledgeWithin) {
        try {
            return startUnready(bootstrapServers, reports, new DiskReportStore(reports, false), acknowledgeWithin);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With an admin API, which takes {@link #ADMIN_KEY} from the operator ops. */
    public static TestGateway startWithAdmin(String bootstrapServers, Path folder) {
        return startWithAdmin(bootstrapServers, folder, Clock.systemUTC());
    }

    public static TestGateway startWithAdmin(String bootstrapServers, Path folder, Clock clock) {
        return startedWithAdmin(bootstrapServers, folder, Special.USUAL.with(clock));
    }

    /** @param encryption of the webhook secrets */
    public static TestGateway startWithAdmin(String bootstrapServers, Path folder, SecretEncryption encryption) {
        return startedWithAdmin(bootstrapServers, folder, Special.USUAL.with(encryption));
    }

    public static TestGateway startWithAdmin(String bootstrapServers, Path folder, TlsSettings tls) {
        return startedWithAdmin(bootstrapServers, folder, Special.USUAL.with(tls));
    }

    private static TestGateway startedWithAdmin(String bootstrapServers, Path folder, Special special) {
        Path keys = folder.resolve("keys");
        try {
            if (Files.notExists(keys)) { // another gateway may be reading it
                Files.writeString(keys, "# who\nops " + ADMIN_KEY + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return started(bootstrapServers, folder, special.with(admin(keys)));
    }

    /** Ready, with these. */
    public static TestGateway start(
            String bootstrapServers, Path reports, TlsSettings tls, ConnectionSettings connection) {
        return started(bootstrapServers, reports, Special.USUAL.with(tls).with(connection));
    }

    private static TestGateway started(String bootstrapServers, Path reports, Special special) {
        try {
            var store = new DiskReportStore(reports, false);
            TestGateway started = startUnready(bootstrapServers, reports, store, Duration.ofSeconds(10), special);
            await().atMost(Duration.ofSeconds(60)).until(started.gateway::ready);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AdminSettings admin(@Nullable Path keys) {
        return new AdminSettings("127.0.0.1", 0, keys);
    }

    /** Folders of databases; those that are null are deleted with the gateway. */
    private record Folders(
            @Nullable Path activity, @Nullable Path deliveries) {}

    /** What tests want otherwise. */
    private record Special(
            TlsSettings tls,
            ConnectionSettings connection,
            AdminSettings admin,
            Clock clock,
            SecretEncryption encryption,
            Folders folders) {
        static final Special USUAL = new Special(
                TlsSettings.NONE,
                CONNECTION,
                TestGateway.admin(null),
                Clock.systemUTC(),
                SecretEncryption.of(SECRET),
                new Folders(null, null));

        Special with(TlsSettings other) {
            return new Special(other, connection, admin, clock, encryption, folders);
        }

        Special with(ConnectionSettings other) {
            return new Special(tls, other, admin, clock, encryption, folders);
        }

        Special with(AdminSettings other) {
            return new Special(tls, connection, other, clock, encryption, folders);
        }

        Special with(Clock other) {
            return new Special(tls, connection, admin, other, encryption, folders);
        }

        Special with(SecretEncryption other) {
            return new Special(tls, connection, admin, clock, other, folders);
        }

        Special with(Folders other) {
            return new Special(tls, connection, admin, clock, encryption, other);
        }
    }

    /** Ready, with an activity store that stays when it is closed, and a clock of the test's own. */
    public static TestGateway startWithActivity(String bootstrapServers, Path reports, Path activity, Clock clock) {
        var folders = new Folders(activity, null);
        return started(bootstrapServers, reports, Special.USUAL.with(folders).with(clock));
    }

    /** Ready, with webhook deliveries that stay when it is closed. */
    public static TestGateway startWithDeliveries(String bootstrapServers, Path reports, Path deliveries) {
        return started(bootstrapServers, reports, Special.USUAL.with(new Folders(null, deliveries)));
    }

    public static TestGateway start(String bootstrapServers, Path unused, ReportStore store) {
        TestGateway started = startUnready(bootstrapServers, unused, store, Duration.ofSeconds(3));
        await().atMost(Duration.ofSeconds(30)).until(started.gateway::ready);
        return started;
    }

    private static TestGateway startUnready(
            String bootstrapServers, Path reports, ReportStore store, Duration acknowledgeWithin) {
        return startUnready(bootstrapServers, reports, store, acknowledgeWithin, Special.USUAL);
    }

    private static TestGateway startUnready(
            String bootstrapServers, Path reports, ReportStore store, Duration acknowledgeWithin, Special special) {
        Path own = folder();
        var settings = new GatewaySettings(
                "127.0.0.1",
                0,
                special.tls(),
                special.connection(),
                null,
                Path.of("unused"),
                null,
                null,
                special.admin(),
                Settings.sectionOf("gateway.console", ConsoleSettings.class, Map.of()),
                Settings.sectionOf("storage", StorageSettings.class, Map.of("storage.reports", reports.toString())),
                new GatewaySettings.Activity(
                        Objects.requireNonNullElse(special.folders().activity(), own.resolve("activity"))),
                new GatewaySettings.ReadModel(own.resolve("read-model"), 8 << 20),
                new GatewaySettings.Deliveries(
                        Objects.requireNonNullElse(special.folders().deliveries(), own.resolve("deliveries"))),
                4 << 20,
                1_000_000,
                100_000,
                READS_PER_SECOND,
                100,
                acknowledgeWithin,
                Duration.ofDays(7),
                List.of("127.0.0.0/8"),
                List.of("127.0.0.9"),
                List.of(ALLOWED_ORIGIN));
        var free = new AtomicLong(Long.MAX_VALUE);
        var parts = new GatewayDependencies(
                accounts(),
                special.encryption(),
                Catalog.builtIn(),
                store,
                address -> new SignedLinks(address, SECRET),
                new QuoteTokens(SECRET, special.clock()),
                StatementSigner.of(SECRET),
                special.clock(),
                UUID::randomUUID,
                DiskSpaceMonitor.watch(
                        new DiskSettings(LEAST_FREE),
                        List.of(reports),
                        new SimpleMeterRegistry(),
                        folder -> free.get()));
        var meters = new SimpleMeterRegistry();
        return new TestGateway(
                Gateway.start(
                        settings,
                        KafkaSettings.local(bootstrapServers, 3, "gateway-" + UUID.randomUUID()),
                        parts,
                        meters,
                        () -> {}),
                meters,
                free,
                own);
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("gateway");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on there are so many bytes free on its disk. */
    public void free(long bytes) {
        free.set(bytes);
    }

    /** The value of a gauge. */
    public double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    public URI address() {
        return gateway.address();
    }

    public URI adminAddress() {
        return gateway.adminAddress().orElseThrow();
    }

    public boolean ready() {
        return gateway.ready();
    }

    public HttpResponse<String> get(String path) {
        return get(path, KEY);
    }

    public HttpResponse<String> get(String path, @Nullable String key) {
        return send("GET", path, key, null, Map.of());
    }

    public HttpResponse<String> post(String path, String body) {
        return send(
                "POST", path, KEY, body.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", "application/json"));
    }

    public HttpResponse<String> post(String path, String key, String body) {
        return send(
                "POST", path, key, body.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", "application/json"));
    }

    public HttpResponse<String> send(
            String method, String path, @Nullable String key, byte @Nullable [] body, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(
                        path.startsWith("http")
                                ? URI.create(path)
                                : gateway.address().resolve(path))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (key != null) {
            request.header("api-key", key);
        }
        headers.forEach(request::header);
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        gateway.close();
        try {
            LocalDatabase.delete(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static AccountsFile accounts() {
        return new AccountsFile(List.of(
                account(
                        "acme",
                        List.of(
                                key(AccountRecord.KeyKind.BATCH, KEY, null, true),
                                key(AccountRecord.KeyKind.BATCH, ORIGINAL_KEY, ApiDialect.ORIGINAL, true),
                                key(AccountRecord.KeyKind.BATCH, OFF_KEY, null, false),
                                new DeclaredAccount.Key(
                                        AccountRecord.KeyKind.BATCH,
                                        Hashes.sha256(READING_KEY),
                                        null,
                                        true,
                                        null,
                                        Set.of(KeyScope.READ)),
                                key(AccountRecord.KeyKind.REST, REST_KEY, null, true)),
                        null),
                account("other", List.of(key(AccountRecord.KeyKind.BATCH, OTHER_KEY, null, true)), null),
                account(
                        "slow",
                        List.of(key(AccountRecord.KeyKind.BATCH, SLOW_KEY, null, true)),
                        new DeclaredAccount.Limits(2, 2, 90)),
                account(
                        "paced",
                        List.of(key(AccountRecord.KeyKind.BATCH, PACED_KEY, null, true)),
                        new DeclaredAccount.Limits(5, 100, null)),
                account("secretless", List.of(key(AccountRecord.KeyKind.BATCH, SECRETLESS_KEY, null, true)), null)));
    }

    private static List<String> secrets(String id) {
        return switch (id) {
            case "secretless" -> List.of();
            case "other" -> List.of(ED25519);
            default -> List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        };
    }

    private static DeclaredAccount account(
            String id, List<DeclaredAccount.Key> keys, DeclaredAccount.@Nullable Limits limits) {
        var web = new DeclaredAccount.Entitlement(
                List.of("US", "GB", "DE", "WW"), LocalDate.parse("2024-01-01"), LocalDate.parse("2026-06-30"));
        return new DeclaredAccount(
                id, id, keys, 10_000, Map.of("web_desktop_data", web, "web_mobile_data", web), limits, secrets(id));
    }

    private static DeclaredAccount.Key key(
            AccountRecord.KeyKind kind, String text, @Nullable ApiDialect dialect, boolean active) {
        return new DeclaredAccount.Key(kind, Hashes.sha256(text), dialect, active);
    }
}
