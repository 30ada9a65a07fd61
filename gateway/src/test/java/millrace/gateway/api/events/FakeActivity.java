package millrace.gateway.api.events;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.EndpointState.HeldReason;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.topics.Topic;
import millrace.gateway.copy.activity.ActivityEvent;
import millrace.gateway.copy.activity.ActivityFeed;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import millrace.gateway.copy.activity.Positions;
import millrace.gateway.copy.reports.SampleRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What one gateway has read of a log that all gateways read. */
final class FakeActivity implements ActivityFeed {
    static final int TOPICS = 4711;
    private static final int PARTITIONS = 2;

    /** The records of all partitions, in the order in which they were written. */
    static final class Log {
        private final Map<TopicPartition, List<Written>> partitions = new HashMap<>();
        private int written;

        private record Written(String accountId, int number, ActivityEvent event) {}

        Log() {
            for (Topic<?> topic : Positions.TOPICS) {
                for (int number = 0; number < PARTITIONS; number++) {
                    partitions.put(new TopicPartition(topic.name(), number), new ArrayList<>());
                }
            }
        }

        /**
         * Each entry is on the partition of its account, and the others on any.
         *
         * @param kind 0 to 5: a report, an attempt, an entry, an entry with which little remains; and a version of a
         *     dataset that all accounts see, and of the dataset {@code hidden}, both whatever the account is
         */
        ActivityEvent append(String accountId, int kind, int partition) {
            int number = ++written;
            Topic<?> topic = Positions.TOPICS.get(kind == 0 ? 0 : kind == 1 ? 2 : kind < 4 ? 1 : 3);
            int own = kind < 2 || kind > 3 ? partition % PARTITIONS : Math.floorMod(accountId.hashCode(), PARTITIONS);
            List<Written> records = partitions.getOrDefault(new TopicPartition(topic.name(), own), List.of());
            var place = new ActivityEvent.Place(new TopicPartition(topic.name(), own), records.size());
            ActivityEvent event =
                    switch (kind) {
                        case 0 -> new ActivityEvent.ReportChanged(place, SampleRecords.complete(number, 1, 2));
                        case 1 -> new ActivityEvent.Attempted(place, attempt(accountId, number));
                        case 2 -> new ActivityEvent.Entered(place, entry(accountId, number), "demographics", null);
                        case 4 -> new ActivityEvent.VersionAvailable(place, version("demographics", number));
                        case 5 -> new ActivityEvent.VersionAvailable(place, version("hidden", number));
                        default -> new ActivityEvent.Entered(place, entry(accountId, number), null, 100L);
                    };
            records.add(new Written(kind > 3 ? ActivityListener.EVERYBODY : accountId, number, event));
            return event;
        }

        private static WebhookAttempt attempt(String accountId, int number) {
            return new WebhookAttempt(
                    "evt-" + number,
                    accountId,
                    accountId + "|https://hooks.example.com:443",
                    "https://hooks.example.com/a",
                    new UUID(0, number),
                    1,
                    1,
                    WebhookAttempt.Outcome.FAILED,
                    429,
                    null,
                    null,
                    Instant.EPOCH.plusSeconds(number),
                    12,
                    Map.of(),
                    Instant.EPOCH.plusSeconds(number + 60),
                    null,
                    null,
                    Instant.EPOCH.plusSeconds(number + 50),
                    HeldReason.RETRY_AFTER);
        }

        private static DataVersionAvailable version(String dataset, int number) {
            return new DataVersionAvailable(
                    dataset,
                    number,
                    "v" + number,
                    DataVersionAvailable.Change.PUBLISHED,
                    null,
                    null,
                    100,
                    10,
                    Map.of("monthly", new DatasetFacts.Span(LocalDate.EPOCH, LocalDate.EPOCH)),
                    null,
                    Instant.EPOCH.plusSeconds(number));
        }

        private static LedgerEntry entry(String accountId, int number) {
            return new LedgerEntry(
                    "entry-" + number,
                    accountId,
                    number,
                    LedgerEntry.Kind.RESERVATION,
                    new UUID(0, number),
                    7,
                    1000,
                    7,
                    900,
                    93,
                    Instant.EPOCH.plusSeconds(number));
        }
    }

    private final Log log;
    private final Map<TopicPartition, Integer> folded = new HashMap<>();
    private final List<ActivityListener> listeners = new ArrayList<>();
    /** Runs when events have been read and before the caller has them. */
    Runnable meanwhile = () -> {};

    @Nullable
    String lost;

    boolean building;

    FakeActivity(Log log) {
        this.log = log;
    }

    /** Folds the next record of a partition; false where there is none. */
    boolean fold(int partition) {
        TopicPartition chosen = log.partitions.keySet().stream()
                .sorted(Comparator.comparing(TopicPartition::toString))
                .toList()
                .get(partition % log.partitions.size());
        int next = folded.getOrDefault(chosen, 0);
        List<Log.Written> records = log.partitions.getOrDefault(chosen, List.of());
        if (next >= records.size()) {
            return false;
        }
        folded.put(chosen, next + 1);
        listeners.forEach(l -> l.recorded(Set.of(records.get(next).accountId())));
        return true;
    }

    /** Folds all there is. */
    void foldAll() {
        for (int partition = 0; partition < log.partitions.size(); partition++) {
            boolean more = true;
            while (more) {
                more = fold(partition);
            }
        }
    }

    @Override
    public Optional<String> unavailable() {
        return building ? Optional.of("building") : Optional.empty();
    }

    @Override
    public Positions end() {
        Map<TopicPartition, Long> next = new HashMap<>();
        log.partitions.keySet().forEach(p -> next.put(p, (long) folded.getOrDefault(p, 0)));
        return new Positions(TOPICS, next);
    }

    @Override
    public Positions completed(Positions positions) {
        return positions.completed(end());
    }

    @Override
    public Optional<String> lost(Positions positions) {
        return Optional.ofNullable(lost);
    }

    @Override
    public Events after(String accountId, Positions positions, int most) {
        if (building) {
            return new Events(List.of(), positions, false);
        }
        Map<TopicPartition, Long> next = new HashMap<>(positions.next());
        List<Log.Written> found = new ArrayList<>();
        log.partitions.forEach((partition, records) -> {
            int end = folded.getOrDefault(partition, 0);
            for (int offset = (int) positions.of(partition); offset < end; offset++) {
                String of = records.get(offset).accountId();
                if (of.equals(accountId) || of.equals(ActivityListener.EVERYBODY)) {
                    found.add(records.get(offset));
                }
            }
            next.merge(partition, (long) end, Math::max);
        });
        found.sort(Comparator.comparingInt(Log.Written::number));
        meanwhile.run();
        List<ActivityEvent> events = found.stream().map(Log.Written::event).toList();
        if (events.size() <= most) {
            return new Events(events, new Positions(TOPICS, next), false);
        }
        Positions after = positions;
        for (ActivityEvent event : events.subList(0, most)) {
            after = after.after(event);
        }
        return new Events(events.subList(0, most), after, true);
    }

    @Override
    public void listen(ActivityListener listener) {
        listeners.add(listener);
    }

    @Override
    public void followed(boolean bySomebody) {
        // It tells at once.
    }

    /** What it says when it is complete again. */
    void built() {
        building = false;
        listeners.forEach(ActivityListener::complete);
    }
}
