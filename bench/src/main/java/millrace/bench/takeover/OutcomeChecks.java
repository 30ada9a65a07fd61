package millrace.bench.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import millrace.bench.ledger.LedgerCommands;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;

/** Compares what was asked for with what the ledger, the gateways and the receiver have: nothing is lost or doubled. */
final class OutcomeChecks implements AutoCloseable {
    private static final int SAMPLE = 200;
    private static final int SHOWN = 10;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> gateways;
    private final List<FollowedReport> asked;
    private final LedgerCommands filled;
    private final int filledReports;
    private final List<String> faults = new ArrayList<>();

    /**
     * @param asked requests whose reports have ended
     * @param filled reports that had ended before
     */
    OutcomeChecks(List<String> gateways, List<FollowedReport> asked, LedgerCommands filled, int filledReports) {
        this.gateways = gateways;
        this.asked = asked;
        this.filled = filled;
        this.filledReports = filledReports;
    }

    /** What the entries of an account add up to. */
    private static final class Account {
        private final Set<UUID> settled = new HashSet<>();
        private long sequence;
        private long granted;
        private long reserved;
        private long used;
        private int settlements;
    }

    /** Each request is one report, and both gateways say that it is complete. */
    void reports() throws IOException, InterruptedException {
        Set<String> ids = new HashSet<>();
        for (FollowedReport report : asked) {
            String id = String.valueOf(report.id);
            if (!ids.add(id)) {
                faults.add("report " + id + " answers two requests");
            }
            status(BenchAccounts.key(report.account.id()), id);
        }
        for (int i = 0; i < Math.min(SAMPLE, filledReports); i++) {
            long number = (long) i * filledReports / SAMPLE;
            status(
                    BenchAccounts.key(filled.account(number)),
                    LedgerCommands.id(number).toString());
        }
    }

    private void status(String key, String id) throws IOException, InterruptedException {
        for (String gateway : gateways) {
            String status = get(gateway + "/v3/batch/request-status/" + id, key)
                    .path("status")
                    .asText();
            if (!status.equals("complete")) {
                faults.add(gateway + " says of report " + id + ": " + status);
            }
        }
    }

    /**
     * Each report is settled once, entries of an account have no gap and add up, nothing is reserved, and both gateways
     * say what remains. Returns the number of entries.
     */
    long ledger(BenchKafka kafka) throws IOException, InterruptedException {
        Map<String, Account> accounts = new HashMap<>();
        var entries = new AtomicLong();
        kafka.forEach(Topics.CREDIT_LEDGER.name(), record -> {
            LedgerEntry entry = Topics.CREDIT_LEDGER.decode(record.value());
            add(accounts.computeIfAbsent(entry.accountId(), id -> new Account()), entry);
            entries.incrementAndGet();
        });
        Map<String, Set<UUID>> expected = new HashMap<>();
        for (FollowedReport report : asked) {
            expected.computeIfAbsent(report.account.id(), a -> new HashSet<>())
                    .add(UUID.fromString(String.valueOf(report.id)));
        }
        Map<String, Integer> filledOfAccount = new HashMap<>();
        for (long number = 0; number < filledReports; number++) {
            filledOfAccount.merge(filled.account(number), 1, Integer::sum);
        }
        for (Map.Entry<String, Account> one : accounts.entrySet()) {
            String id = one.getKey();
            Account account = one.getValue();
            Set<UUID> reports = expected.getOrDefault(id, Set.of());
            int count = filledOfAccount.getOrDefault(id, 0) + reports.size();
            if (account.reserved != 0) {
                faults.add(account.reserved + " credits of " + id + " are reserved for nothing");
            }
            if (account.settlements != count || !account.settled.containsAll(reports)) {
                faults.add(account.settlements + " reports of " + id + " are settled, and not its " + count);
            }
            for (String gateway : gateways) {
                long remaining = get(gateway + "/v3/batch/credits", BenchAccounts.key(id))
                        .path("remaining_credits")
                        .asLong();
                if (remaining != account.granted - account.used) {
                    faults.add(gateway + " says that " + remaining + " credits of " + id + " remain, and not "
                            + (account.granted - account.used));
                }
            }
        }
        expected.keySet().stream()
                .filter(id -> !accounts.containsKey(id))
                .forEach(id -> faults.add("no entry of account " + id));
        return entries.get();
    }

    private void add(Account account, LedgerEntry entry) {
        if (entry.sequence() != ++account.sequence) {
            faults.add("entry " + entry.entryId() + " of " + entry.accountId() + " has the sequence " + entry.sequence()
                    + " after " + (account.sequence - 1));
            account.sequence = entry.sequence();
        }
        switch (entry.kind()) {
            case OPENING -> {}
            case GRANT -> account.granted += entry.amount();
            case EXPIRY -> account.granted -= entry.amount();
            case RESERVATION -> account.reserved += entry.amount();
            case RELEASE -> account.reserved -= entry.amount();
            case SETTLEMENT -> {
                account.reserved -= entry.amount();
                account.used += entry.amount();
                account.settlements++;
                // Of filled reports, of which there are millions, the number is enough.
                if (entry.accountId().startsWith(LoadAccount.PREFIX)
                        && entry.reportId() != null
                        && !account.settled.add(entry.reportId())) {
                    faults.add("report " + entry.reportId() + " is settled twice");
                }
            }
        }
        if (entry.granted() != account.granted
                || entry.reserved() != account.reserved
                || entry.used() != account.used
                || entry.remaining() != account.granted - account.reserved - account.used) {
            faults.add("entry " + entry.entryId() + " of " + entry.accountId() + " does not add up: " + entry);
        }
    }

    /** Both events of each report have arrived. Returns how many came more often than once. */
    long webhooks(Map<String, List<Long>> arrivals) {
        for (FollowedReport report : asked) {
            for (int sequence = 1; sequence <= 2; sequence++) {
                String event = report.id + "." + sequence;
                if (!arrivals.containsKey(event)) {
                    faults.add("event " + event + " has not arrived");
                }
            }
        }
        return arrivals.values().stream().filter(times -> times.size() > 1).count();
    }

    /** @throws IllegalStateException if something was found, with the first faults */
    void none() {
        if (!faults.isEmpty()) {
            throw new IllegalStateException(faults.size() + " faults:\n"
                    + String.join("\n", faults.subList(0, Math.min(SHOWN, faults.size()))));
        }
    }

    private JsonNode get(String address, String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("api-key", key)
                .build();
        HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
        JsonNode body = Json.MAPPER.readTree(answer.body());
        if (answer.statusCode() != 200) {
            faults.add(address + ": " + answer.statusCode() + " " + body);
        }
        return body;
    }

    @Override
    public void close() {
        http.close();
    }
}
