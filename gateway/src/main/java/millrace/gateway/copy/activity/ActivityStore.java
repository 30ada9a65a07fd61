package millrace.gateway.copy.activity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import millrace.contracts.topics.Topic;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.CopyReader;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happened to the accounts, on the local disk. One reader folds the topics into it; each batch
 * of records is written with the offsets that follow, so that it goes on where it stopped. It is
 * built again from the topics where it does not fit them. Safe for use by many threads.
 */
public final class ActivityStore implements ActivityFeed, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityStore.class);
    /** 32 MiB of blocks, and two write buffers of 8 MiB. */
    static final LocalDatabase.Bounds BOUNDS = new LocalDatabase.Bounds(32L << 20, 8L << 20, 256);

    private static final String CLEANED = "cleaned";
    private static final Duration ENDS_TIMEOUT = Duration.ofSeconds(2);
    private static final Set<String> OF_FEED =
            Positions.TOPICS.stream().map(Topic::name).collect(Collectors.toSet());

    private final LocalStore store;
    private final InstantSource clock;
    private final FoldedOffsets foldedOffsets = new FoldedOffsets();
    private final List<ActivityListener> listeners = new CopyOnWriteArrayList<>();

    private volatile Function<Set<TopicPartition>, CompletableFuture<Map<TopicPartition, Long>>> ends =
            partitions -> CompletableFuture.completedFuture(Map.of());

    private volatile CopyReader.Progress progress = CopyReader.Progress.NONE;
    private volatile Feed feed = Feed.NONE;

    // Of the thread that reads
    private Map<TopicPartition, FeedPartition> partitions = Map.of();
    /** The day for which days were deleted last, 0 for none. */
    private int cleanedOn;

    private ActivityStore(LocalStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Reserves the folder for this process.
     *
     * @throws SettingsException where the folder cannot be written or another process holds it; its
     *     message is one line
     */
    public static ActivityStore in(Path folder, InstantSource clock) {
        return new ActivityStore(LocalStore.in(folder, "gateway.activity.directory", BOUNDS), clock);
    }

    /** What the feed goes by, of one moment. */
    private record Feed(int topics, Map<TopicPartition, FeedPartition> partitions) {
        static final Feed NONE = new Feed(0, Map.of());

        Feed read(Map<TopicPartition, FeedPartition> all) {
            Map<TopicPartition, FeedPartition> some = new HashMap<>(all);
            some.keySet().removeIf(partition -> !OF_FEED.contains(partition.topic()));
            return new Feed(topics, some);
        }
    }

    // The reader

    /**
     * Opens the store, and empties it if it does not fit the topics.
     *
     * @throws StoreException if it cannot be opened
     * @throws IOException if a damaged one cannot be deleted
     */
    CopiedTopics.Opened open(CopiedTopics topics) throws IOException {
        KeptDays kept = today();
        CopiedTopics.Opened opened = topics.open(
                store,
                Table.FORM,
                database -> positions(database, topics.first()),
                database -> wasAhead(cleanedOn(database), kept) ? ahead(cleanedOn(database)) : null);
        cleanedOn = store.use(ActivityStore::cleanedOn);
        Map<TopicPartition, FeedPartition> read = store.use(ActivityStore::storedPartitions);
        topics.first().forEach((partition, offset) -> read.putIfAbsent(partition, FeedPartition.startingAt(offset)));
        partitions = Map.copyOf(read);
        feed = new Feed(topics.identity().hashCode(), Map.of()).read(partitions);
        return opened;
    }

    /** Whether days were deleted, and records skipped, that are to be kept. */
    private static boolean wasAhead(int cleaned, KeptDays kept) {
        return kept.today() < cleaned - 1;
    }

    private static String ahead(int cleaned) {
        return "this gateway's clock was ahead, at " + KeptDays.date(cleaned);
    }

    private static int cleanedOn(LocalDatabase opened) {
        byte[] day = opened.get(metaKey(CLEANED));
        return day == null ? 0 : Integer.parseInt(text(day));
    }

    /** @throws StoreException where the clock is wrong, as before it is set at the start of a machine */
    private KeptDays today() {
        KeptDays kept = KeptDays.at(clock.instant());
        if (!kept.plausible()) {
            throw new StoreException("this gateway's clock is wrong: " + KeptDays.date(kept.today()), false);
        }
        return kept;
    }

    private static Map<TopicPartition, FeedPartition> storedPartitions(LocalDatabase opened) {
        Map<TopicPartition, FeedPartition> partitions = new HashMap<>();
        opened.each(RowKey.in(Table.OFFSETS), (key, row) -> {
            TopicPartition partition = ActivityFold.partition(key);
            partitions.put(partition, FeedPartition.read(row, firsts(opened, partition)));
        });
        return partitions;
    }

    /** The offset after the last record, or if that is gone what the consumer had reached, which is as good. */
    private static Map<TopicPartition, OffsetAndMetadata> positions(
            LocalDatabase opened, Map<TopicPartition, Long> first) {
        Map<TopicPartition, OffsetAndMetadata> positions = ReadOffsets.of(opened, Table.READ);
        positions.entrySet().removeIf(read -> read.getValue().offset() < first.getOrDefault(read.getKey(), 0L));
        storedPartitions(opened)
                .forEach((partition, read) -> positions.putIfAbsent(partition, new OffsetAndMetadata(read.next())));
        return positions;
    }

    private static NavigableMap<Integer, Long> firsts(LocalDatabase opened, TopicPartition partition) {
        NavigableMap<Integer, Long> firsts = new TreeMap<>();
        opened.each(
                ActivityFold.feedDaysKey(partition),
                (key, first) -> firsts.put(ActivityFold.day(key), ActivityFold.number(first)));
        return firsts;
    }

    /**
     * Folds records and writes what follows together with the offsets that follow.
     *
     * @param read the offsets after these records
     * @param next those of the partitions of these records, and others that have moved
     * @throws StoreException if it cannot be written; nothing is then
     */
    void fold(
            Iterable<ConsumerRecord<String, byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> read,
            Map<TopicPartition, Long> next) {
        partitions = store.use(open -> {
            KeptDays kept = today();
            Map<TopicPartition, FeedPartition> current = clean(open, kept);
            if (next.isEmpty() && current.equals(partitions)) {
                return partitions;
            }
            try (RowBatch batch = open.batch()) {
                var fold = new ActivityFold(batch, kept, current);
                records.forEach(fold::fold);
                Map<TopicPartition, FeedPartition> after = fold.finish(current, next);
                ReadOffsets.put(batch, Table.READ, read);
                if (!batch.isEmpty()) {
                    open.write(batch);
                }
                feed = feed.read(after);
                tell(fold.accounts());
                return after;
            }
        });
    }

    private Map<TopicPartition, FeedPartition> clean(LocalDatabase open, KeptDays kept) {
        if (wasAhead(cleanedOn, kept)) {
            throw store.distrust(ahead(cleanedOn));
        }
        if (kept.today() <= cleanedOn) {
            return partitions;
        }
        Map<TopicPartition, FeedPartition> after = new HashMap<>(partitions);
        try (RowBatch batch = open.batch()) {
            partitions.forEach((partition, read) -> {
                read.firsts()
                        .headMap(kept.firstOfEvents(), false)
                        .forEach((day, first) ->
                                batch.delete(ActivityFold.feedDaysKey(partition).day(day)));
                after.put(partition, read.withoutDaysBefore(kept.firstOfEvents()));
            });
            // Known before anything is deleted: where the clock was wrong, the store is built again.
            batch.put(metaKey(CLEANED), text(Integer.toString(kept.today())));
            open.write(batch);
        }
        Table.deleteBefore(open, kept.firstOfEvents(), kept.firstOfLedger());
        cleanedOn = kept.today();
        return after;
    }

    /** What is on the disk. */
    LocalStore store() {
        return store;
    }

    /** How far the partitions have been read, and where their days begin. For the thread that reads. */
    Map<TopicPartition, FeedPartition> partitions() {
        return partitions;
    }

    /** Of the reader, which wakes those that wait when it has folded. */
    FoldedOffsets foldedOffsets() {
        return foldedOffsets;
    }

    void progressed(CopyReader.Progress newest) {
        boolean completes = newest.done() && !progress.done();
        progress = newest;
        if (completes) {
            tell(ActivityListener::complete);
        }
    }

    private void tell(Set<String> accounts) {
        if (progress.done() && !accounts.isEmpty()) {
            tell(listener -> listener.recorded(accounts));
        }
    }

    /** What was folded is written: a listener that fails must not have it folded again. */
    private void tell(Consumer<ActivityListener> news) {
        for (ActivityListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException e) {
                LOG.error("listener of the activity store failed", e);
            }
        }
    }

    // Answers

    @Override
    public Optional<String> unavailable() {
        CopyReader.Progress now = store.damaged() ? CopyReader.Progress.NONE : progress;
        return now.done()
                ? Optional.empty()
                : Optional.of("This gateway is still reading what happened to the accounts: "
                        + (int) Math.floor(100 * now.part()) + " % are read; try again.");
    }

    /** Asks the store; empty while it is being built, and where it cannot be read. */
    public <T> Optional<T> ask(Function<ActivityQueries, T> question) {
        return askDatabase((open, kept) -> question.apply(new ActivityQueries(open, kept)));
    }

    /**
     * Blocks until the condition holds, or the time is over. The condition is checked when records
     * have been folded.
     */
    public void await(Predicate<ActivityQueries> condition, Duration timeout) throws InterruptedException {
        boolean unused = foldedOffsets.await(() -> ask(condition::test).orElse(true), timeout);
    }

    private <T> Optional<T> askDatabase(BiFunction<LocalDatabase, KeptDays, T> question) {
        if (unavailable().isPresent()) {
            return Optional.empty(); // opening it holds the lock for long
        }
        try {
            // Asked again: a store that is built anew must not answer that there is nothing.
            return store.use(open -> unavailable().isPresent()
                    ? Optional.empty()
                    : Optional.of(question.apply(open, KeptDays.at(clock.instant()))));
        } catch (StoreException e) {
            LOG.warn("activity store not read error={}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Bytes of the store's files; 0 while it is not open. Does not wait until it is. */
    public long bytes() {
        return store.bytes();
    }

    // The feed

    /** Has positions that are beyond the ends of partitions told from those that another gateway has reached. */
    public void askEnds(Function<Set<TopicPartition>, CompletableFuture<Map<TopicPartition, Long>>> ofKafka) {
        ends = ofKafka;
    }

    @Override
    public Positions end() {
        Feed now = feed;
        Map<TopicPartition, Long> next = new HashMap<>();
        now.partitions().forEach((partition, read) -> next.put(partition, read.next()));
        return new Positions(now.topics(), next);
    }

    @Override
    public Positions completed(Positions positions) {
        return positions.completed(end());
    }

    @Override
    public Optional<String> lost(Positions positions) {
        Feed now = feed;
        if (positions.topics() != now.topics()) {
            return Optional.of("The position is of other topics: Kafka was set up anew, or it is another one.");
        }
        boolean old = now.partitions().entrySet().stream()
                .anyMatch(p -> positions.of(p.getKey()) < p.getValue().earliest());
        if (old) {
            return Optional.of("The position is older than what is kept, " + KeptDays.EVENTS + " days.");
        }
        return beyondEnd(now, positions)
                ? Optional.of("The position is beyond what Kafka has: records were lost, or it was restored.")
                : Optional.empty();
    }

    /** Other gateways may be further than this one, but not further than Kafka. */
    private boolean beyondEnd(Feed now, Positions positions) {
        Set<TopicPartition> ahead = now.partitions().entrySet().stream()
                .filter(p -> positions.of(p.getKey()) > p.getValue().next())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (ahead.isEmpty()) {
            return false;
        }
        try {
            return ends.apply(ahead).get(ENDS_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).entrySet().stream()
                    .anyMatch(end -> positions.of(end.getKey()) > end.getValue());
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("feed not compared with the ends of partitions error={}", e.toString());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public Events after(String accountId, Positions positions, int most) {
        return askDatabase((open, kept) -> new FeedReader(
                                open::from, new ActivityQueries(open, kept), accountId, feed.partitions())
                        .read(positions, most))
                .orElse(new Events(List.of(), positions, false));
    }

    @Override
    public void listen(ActivityListener listener) {
        listeners.add(listener);
    }

    @Override
    public void followed(boolean bySomebody) {
        foldedOffsets.followed(bySomebody);
    }

    @Override
    public void close() {
        progress = CopyReader.Progress.NONE;
        store.close();
    }

    private static RowKey metaKey(String name) {
        return RowKey.in(Table.META).text(name);
    }

    private static byte[] text(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String text(byte[] text) {
        return new String(text, java.nio.charset.StandardCharsets.UTF_8);
    }
}
