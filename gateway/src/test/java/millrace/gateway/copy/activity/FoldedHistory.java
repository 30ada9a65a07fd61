package millrace.gateway.copy.activity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportStatus;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.CopyReader;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.StoreFiles;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A store, and a reader that takes the records of a history in batches. */
final class FoldedHistory implements AutoCloseable {
    static final String TOPICS = "{report-events=one}";

    private final SampleHistory history;
    private final InstantSource clock;
    private final Path root;
    private int number;
    private ActivityStore store;
    private @Nullable String rebuilt;
    private Map<TopicPartition, OffsetAndMetadata> positions = Map.of();

    FoldedHistory(SampleHistory history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
        try {
            this.root = Files.createTempDirectory("activity");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.store = ActivityStore.in(folder(), clock);
        open(TOPICS);
    }

    private Path folder() {
        return root.resolve(Integer.toString(number));
    }

    /** RocksDB's folder. */
    Path files() {
        return folder().resolve("store");
    }

    ActivityStore store() {
        return store;
    }

    /** Where reading goes on after the last start. */
    Map<TopicPartition, OffsetAndMetadata> positions() {
        return positions;
    }

    /** Why it was built at its last start, or null. */
    @Nullable
    String rebuilt() {
        return rebuilt;
    }

    private void open(String topics) {
        try {
            var opened = store.open(new CopiedTopics(topics, history.first(), history.ends(), history.epochs()));
            rebuilt = opened.rebuilt();
            positions = opened.positions();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens it again, as the reader does after an error. */
    void reopen() {
        open(TOPICS);
    }

    /** Ends the process properly, and starts another one. */
    void restart(String topics) {
        store.close();
        store = ActivityStore.in(folder(), clock);
        open(topics);
    }

    /** The process is gone, and another one has the files as the first one had written them until then. */
    void kill() {
        Path killed = folder();
        number++;
        StoreFiles.copy(killed, folder());
        store.close();
        store = ActivityStore.in(folder(), clock);
        open(TOPICS);
    }

    /** Folds all that is left, in any order of the partitions. */
    void all(Random random) {
        while (some(random)) {
            // More is left.
        }
        complete();
    }

    /** As when all is read that there was when the store was opened. */
    void complete() {
        store.progressed(new CopyReader.Progress(true, 1, 0, 0));
    }

    /** Folds one batch; returns false where none was left. */
    boolean some(Random random) {
        List<TopicPartition> waiting = new ArrayList<>(history.topics.keySet().stream()
                .filter(p -> !rest(p).isEmpty())
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList());
        if (waiting.isEmpty()) {
            store.fold(List.of(), Map.of(), history.ends());
            return false;
        }
        Map<TopicPartition, Long> next = new HashMap<>();
        List<ConsumerRecord<String, byte[]>> batch = new ArrayList<>();
        Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> records = new HashMap<>();
        for (int taken = random.nextInt(3); taken >= 0 && !waiting.isEmpty(); taken--) {
            TopicPartition partition = waiting.remove(random.nextInt(waiting.size()));
            List<ConsumerRecord<String, byte[]>> rest = rest(partition);
            List<ConsumerRecord<String, byte[]>> polled = rest.subList(0, 1 + random.nextInt(rest.size()));
            batch.addAll(polled);
            records.put(partition, polled);
            next.put(partition, polled.getLast().offset() + 1);
        }
        store.fold(batch, ReadOffsets.after(new ConsumerRecords<>(records, Map.of()), ActivityReader.TOPICS), next);
        return true;
    }

    private List<ConsumerRecord<String, byte[]>> rest(TopicPartition partition) {
        long next = Objects.requireNonNull(store.partitions().get(partition)).next();
        return history.topics.getOrDefault(partition, List.of()).stream()
                .filter(r -> r.offset() >= next)
                .toList();
    }

    /** All answers, as text. */
    String answers() {
        Map<String, Object> all = new TreeMap<>();
        for (String account : SampleHistory.ACCOUNTS) {
            all.put(account, store.ask(queries -> answers(queries, account)).orElseThrow());
            all.put(
                    account + " feed",
                    feed(account, 7).stream().map(FoldedHistory::text).toList());
        }
        return Json.text(all);
    }

    private Map<String, Object> answers(ActivityQueries queries, String account) {
        Map<String, Object> all = new TreeMap<>();
        all.put("entries", queries.entries(account, Instant.MIN, Instant.MAX, null, 100_000));
        all.put("usage", queries.usage(account, 0, 100_000));
        List<ActivityQueries.TagUsage> tagged = new ArrayList<>();
        queries.tagUsage(account, "team", 0, 100_000, tagged::add);
        all.put("tag usage", tagged);
        all.put(
                "statistics",
                queries.statistics(account, 0, 100_000).stream()
                        .map(s -> s.day()
                                + s.dataset()
                                + HexFormat.of().formatHex(s.ended().bytes()))
                        .toList());
        for (ReportStatus report : history.reports) {
            UUID id = report.reportId();
            all.put("timeline " + id, queries.timeline(account, id));
            all.put("entries " + id, queries.entriesOf(account, id, report.submittedAt(), report.updatedAt()));
        }
        return all;
    }

    private static String text(ActivityEvent event) {
        return event.place().id() + " " + event;
    }

    /** All events of the account, read in pages. */
    List<ActivityEvent> feed(String account, int page) {
        List<ActivityEvent> all = new ArrayList<>();
        var positions = new Positions(store.end().topics(), history.first());
        for (boolean more = true; more; ) {
            ActivityFeed.Events events = store.after(account, positions, page);
            all.addAll(events.events());
            positions = events.next();
            more = events.more();
        }
        return all;
    }

    @Override
    public void close() {
        store.close();
        try {
            LocalDatabase.delete(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
