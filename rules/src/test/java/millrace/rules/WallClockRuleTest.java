package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The wall clock may be set, by hours and both ways. Durations, rates, deadlines and periods within a process come from
 * the monotonic clock: {@code System.nanoTime}, {@code ServiceThreads.nanoTime} or {@code SteadyClock}. Where the wall
 * clock is read, it stands here with what for.
 */
class WallClockRuleTest {
    private static final Map<String, List<String>> READ_FOR = readFor();
    private static final Pattern IMPORTS = Pattern.compile("^import [^\n]*", Pattern.MULTILINE);
    private static final Pattern READS = Pattern.compile("\\bInstantSource\\b|\\bClock\\.system|\\bcurrentTimeMillis\\b"
            + "|\\b(?:Instant|LocalDate|LocalDateTime|OffsetDateTime|ZonedDateTime|YearMonth|Year)\\.now\\("
            + "|\\bnew Date\\(\\)|\\bclock\\(\\)\\s*\\.instant\\(|\\bthreads(?:\\(\\))?\\s*\\.clock\\(\\)");
    private static final String MAIN = "src/main/java/";

    private static Map<String, List<String>> readFor() {
        Map<String, List<String>> read = new LinkedHashMap<>();
        read.put(
                "gives the clocks to others",
                List.of(
                        "millrace/runtime/service/MachineThreads",
                        "millrace/runtime/service/ServiceThreads",
                        "millrace/runtime/service/SteadyClock",
                        "millrace/gateway/admin/AdminDependencies",
                        "millrace/gateway/bootstrap/Gateway",
                        "millrace/gateway/bootstrap/GatewayBeanFactory",
                        "millrace/gateway/bootstrap/GatewayDependencies",
                        "millrace/notifier/bootstrap/Notifier",
                        "millrace/notifier/versions/VersionAnnouncer",
                        "millrace/processor/bootstrap/Processor",
                        "millrace/processor/data/importing/ImportMain",
                        "millrace/processor/data/importing/VersionsMain",
                        "millrace/processor/ledger/streams/AccountStepSupplier",
                        "millrace/processor/ledger/state/LedgerStores",
                        "millrace/processor/ledger/streams/LedgerStreams",
                        "millrace/processor/rendering/tasks/RenderWorkers",
                        "millrace/processor/repartition/RepartitionCommand",
                        "millrace/standalone/demo/DemoWarehouse"));
        read.put(
                "stamps what others read or what is stored, and names",
                List.of(
                        "millrace/gateway/accounts/AccountWriter",
                        "millrace/gateway/admin/AdminAccountRoutes",
                        "millrace/gateway/admin/DatasetRoutes",
                        "millrace/gateway/admin/ServiceRoutes",
                        "millrace/gateway/admission/Submissions",
                        "millrace/gateway/api/keys/SubscriptionRoutes",
                        "millrace/gateway/api/webhooks/EndpointRoutes",
                        "millrace/gateway/api/webhooks/EventResender",
                        "millrace/gateway/api/webhooks/WebhookTestSender",
                        "millrace/notifier/versions/AnnouncerRun",
                        "millrace/processor/data/importing/Import",
                        "millrace/processor/warehouse/duckdb/WarehouseFolder",
                        "millrace/runtime/management/StatePublisher",
                        "millrace/processor/repartition/Repartition",
                        "millrace/client/cli/ListenCommand",
                        "millrace/standalone/ReceiverMain"));
        read.put(
                "signs, checks the time of a signature, or reads a Retry-After that is a date",
                List.of(
                        "millrace/webhook/http/RunningExchange",
                        "millrace/webhook/http/WebhookSender",
                        "io/millrace/client/Client",
                        "io/millrace/client/Webhooks",
                        "millrace/client/cli/Forwarder",
                        "millrace/client/cli/VerifyCommand"));
        read.put(
                "compares with a point in time that people were told: when a key, a secret or a file expires",
                List.of(
                        "millrace/client/cli/KeysCommand",
                        "millrace/gateway/accounts/AccountsFileImport",
                        "millrace/gateway/api/downloads/DownloadRoutes",
                        "millrace/gateway/api/downloads/FileRoutes",
                        "millrace/gateway/access/AccessCheck",
                        "millrace/gateway/admission/QuoteTokens",
                        "millrace/gateway/api/keys/KeyRoutes",
                        "millrace/gateway/api/keys/SecretRoutes",
                        "millrace/gateway/api/downloads/PreviewRoutes",
                        "millrace/gateway/api/webhooks/DeliveryRoutes",
                        "millrace/notifier/bootstrap/AccountWebhookSecrets",
                        "millrace/runtime/accounts/Accounts"));
        read.put(
                "counts days or months of the calendar; a clock that was ahead is noticed where that matters",
                List.of(
                        "millrace/gateway/accounts/MonthlyGrants",
                        "millrace/gateway/api/credits/CreditRoutes",
                        "millrace/gateway/api/credits/StatementRoutes",
                        "millrace/gateway/api/credits/StatisticsRoutes",
                        "millrace/gateway/statements/StatementLog",
                        "millrace/gateway/copy/activity/ActivityStore",
                        "millrace/gateway/admin/UsageRoutes",
                        "millrace/gateway/api/agents/ToolDefinitions",
                        "millrace/gateway/api/documents/PublicApiDocument",
                        "millrace/gateway/copy/deliveries/DeliveryIndex",
                        "millrace/standalone/demo/DemoSetup"));
        read.put(
                "compares with the times of records or files that others have written",
                List.of(
                        "millrace/gateway/copy/reports/ModelReader",
                        "millrace/gateway/api/reports/RequestChecks",
                        "millrace/gateway/api/status/StatusResponses",
                        "millrace/gateway/api/webhooks/EndpointResponses",
                        "millrace/gateway/copy/deliveries/DeliveryReader",
                        "millrace/processor/data/importing/Inventory",
                        "millrace/processor/ledger/streams/LocalState",
                        "millrace/processor/rendering/tasks/LaneMetrics",
                        "millrace/processor/rendering/tasks/TaskThreads",
                        "millrace/processor/retention/Sweeper",
                        "millrace/processor/warehouse/duckdb/DuckDbWarehouse",
                        "millrace/processor/repartition/RunningProcesses",
                        "millrace/runtime/service/CatalogAgreement"));
        read.put("follows it, and is right where it is set", List.of("millrace/processor/ledger/state/AgendaClock"));
        read.put(
                "must notice that the machine was suspended, when the monotonic clock stands still",
                List.of("millrace/processor/ledger/streams/internals/LedgerClientSupplier"));
        return read;
    }

    @Test
    void whoReadsTheWallClockSaysWhatFor() throws IOException {
        List<String> listed = READ_FOR.values().stream().flatMap(List::stream).toList();
        assertThat(listed).doesNotHaveDuplicates();
        assertThat(readers())
                .as("measure and plan by the monotonic clock, or list here what a class reads the wall clock for")
                .isSubsetOf(listed);
    }

    @Test
    void findsReadersInCodeOnly() {
        assertThat(reads("/** As Instant.now(), */ int x;\n// System.currentTimeMillis()\n"))
                .isFalse();
        assertThat(reads("import java.time.InstantSource;\nint x;")).isFalse();
        assertThat(reads("long now = System.currentTimeMillis();")).isTrue();
        assertThat(reads("LocalDate today = LocalDate.now(ZoneOffset.UTC);")).isTrue();
        assertThat(reads("var now = threads.clock().instant();")).isTrue();
        assertThat(reads("long now = System.nanoTime();")).isFalse();
    }

    private static Set<String> readers() throws IOException {
        Set<String> readers = new TreeSet<>();
        for (Path source : Sources.main()) {
            String file = Sources.ROOT.relativize(source).toString();
            if (!file.matches("(?:bench|simulation|rules)/.*") && reads(Files.readString(source))) {
                readers.add(file.substring(file.indexOf(MAIN) + MAIN.length()).replace(".java", ""));
            }
        }
        return readers;
    }

    private static boolean reads(String code) {
        return READS.matcher(IMPORTS.matcher(Sources.withoutTexts(code)).replaceAll(""))
                .find();
    }
}
