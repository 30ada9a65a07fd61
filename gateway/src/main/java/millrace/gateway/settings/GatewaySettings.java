package millrace.gateway.settings;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import millrace.files.StorageSettings;
import millrace.runtime.settings.Setting;
import millrace.webhook.address.AllowedAddresses;
import org.jspecify.annotations.Nullable;

/** Settings below {@code gateway}. */
public record GatewaySettings(
        @Setting(value = "127.0.0.1", first = true, doc = "address to listen on")
        String host,

        @Setting(value = "8080", first = true, doc = "port to listen on, 0 for any free port")
        int port,

        TlsSettings tls,
        ConnectionSettings connection,

        @Setting(first = true, doc = "address that clients use, for download links; the listening address if not set")
        @Nullable
        URI publicAddress,

        @Setting(value = "accounts.yaml", doc = "file that declares the accounts")
        Path accounts,

        @Setting(
                doc =
                        "file with the key that webhook secrets are encrypted with; beside the accounts file where not set")
        @Nullable
        Path accountsKey,

        @Setting(
                doc =
                        "file with the key that signs statements and receipts; made if it is missing; beside the link secret if not set")
        @Nullable
        Path statementKey,

        AdminSettings admin,
        ConsoleSettings console,

        StorageSettings storage,
        Activity activity,
        ReadModel readModel,
        Deliveries deliveries,

        @Setting(value = "67108864", advanced = true, doc = "largest request body, in bytes")
        int maxBodyBytes,

        @Setting(value = "1000000", doc = "most domains or keywords of a request")
        int maxEntities,

        @Setting(
                value = "10",
                first = true,
                doc = "requests per second and account that submit, change or end something")
        int requestsPerSecond,

        @Setting(
                value = "50",
                doc =
                        "requests per second and account that read, validate or preview; at least as many as it may submit")
        int readsPerSecond,

        @Setting(value = "100", first = true, doc = "reports of one account that may be processing at once")
        int openReports,

        @Setting(
                value = "3s",
                advanced = true,
                doc = "how long Kafka may take to acknowledge a command before the answer is 503")
        Duration acknowledgeWithin,

        @Setting(value = "7d", doc = "how long webhook deliveries can be listed and resent; Kafka has them for 30 days")
        Duration deliveriesKept,

        @Setting(
                value = "",
                doc = "address ranges that webhook tests may go to besides public ones, for example 127.0.0.0/8")
        List<String> allowedAddresses,

        @Setting(
                value = "",
                doc = "address ranges that webhook tests may not go to, public or allowed, for example 198.51.100.0/24")
        List<String> blockedAddresses,

        @Setting(
                value = "",
                first = true,
                doc = "origins of web pages that may use the API in browsers, for example https://app.example.com")
        List<String> allowedOrigins) {

    /** Largest command, which must fit into a record. Longer lists lie in the report store. */
    public static final int MAX_COMMAND_BYTES = 900 * 1024;

    private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.-]+(:[0-9]{1,5})?");

    public GatewaySettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
        }
        atLeast("max-body-bytes", 1, maxBodyBytes);
        atLeast("max-entities", 1, maxEntities);
        atLeast("requests-per-second", 1, requestsPerSecond);
        atLeast("reads-per-second", 1, readsPerSecond);
        atLeast("open-reports", 1, openReports);
        if (deliveriesKept.compareTo(Duration.ofDays(30)) > 0 || !deliveriesKept.isPositive()) {
            throw new IllegalArgumentException("deliveries-kept must be from 1ms to 30d: " + deliveriesKept);
        }
        if (acknowledgeWithin.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException("acknowledge-within must be at least 100ms: " + acknowledgeWithin);
        }
        if (publicAddress != null && (publicAddress.getScheme() == null || publicAddress.getHost() == null)) {
            throw new IllegalArgumentException(
                    "public-address must be like https://reports.example.com: " + publicAddress);
        }
        allowedAddresses = List.copyOf(allowedAddresses);
        blockedAddresses = List.copyOf(blockedAddresses);
        AllowedAddresses.publicAnd(allowedAddresses).except(blockedAddresses);
        allowedOrigins = List.copyOf(allowedOrigins);
        for (String origin : allowedOrigins) {
            if (!ORIGIN.matcher(origin).matches()) {
                throw new IllegalArgumentException(
                        "allowed-origins must be like https://app.example.com, in lower case and without a path: "
                                + origin);
            }
        }
    }

    /** Settings below {@code gateway.activity}. */
    public record Activity(
            @Setting(
                    value = "data/activity",
                    doc =
                            "folder of this gateway alone for what it has read of accounts' reports and credits; built again from Kafka where it is missing")
            Path directory) {}

    /** Settings below {@code gateway.read-model}. */
    public record ReadModel(
            @Setting(
                    value = "data/read-model",
                    doc =
                            "folder of this gateway alone for the reports and balances that it answers from; built again from Kafka where it is missing")
            Path directory,

            @Setting(
                    value = "67108864",
                    advanced = true,
                    doc =
                            "most bytes of these reports that are kept in memory, outside of the heap, to be read without the disk")
            long cacheBytes) {

        private static final long LEAST_CACHE = 1 << 20;

        public ReadModel {
            if (cacheBytes < LEAST_CACHE) {
                throw new IllegalArgumentException("cache-bytes must be at least " + LEAST_CACHE + ": " + cacheBytes);
            }
        }
    }

    /** Settings below {@code gateway.deliveries}. */
    public record Deliveries(
            @Setting(
                    value = "data/deliveries",
                    doc =
                            "folder of this gateway alone for the webhook deliveries that can be listed and resent; built again from Kafka where it is missing")
            Path directory) {}

    /** The folders that the gateway writes to. */
    public List<Path> folders() {
        return storage.folder().stream().toList();
    }

    /** The addresses that webhook tests may be sent to. */
    public AllowedAddresses webhookAddresses() {
        return AllowedAddresses.publicAnd(allowedAddresses).except(blockedAddresses);
    }

    private static void atLeast(String name, int least, int value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
        }
    }
}
