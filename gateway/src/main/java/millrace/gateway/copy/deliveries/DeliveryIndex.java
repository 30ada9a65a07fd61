package millrace.gateway.copy.deliveries;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.PageScan;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deliveries of some days, on the local disk. One reader folds the webhook topics into them, in any order; each batch
 * of records is written with the offsets that follow, so that it goes on where it stopped. They are built again from the
 * topics where they do not fit them. Questions throw {@link StoreException} where the rows cannot be read, or are not
 * complete. Safe for use by many threads.
 */
public final class DeliveryIndex implements AutoCloseable {
    /** Events beyond those that a call resends, as far as they are counted: some 50 ms. */
    private static final int MOST_COUNTED = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryIndex.class);
    /** 8 MiB of blocks, and two write buffers of 4 MiB. */
    static final LocalDatabase.Bounds BOUNDS = new LocalDatabase.Bounds(8L << 20, 4L << 20, 256);

    private final LocalStore store;
    private final Duration keep;
    private final InstantSource clock;
    private volatile boolean complete;

    /** Of whoever writes: the reader, and for a moment who has resent something. Nobody waits for it to read. */
    private final ReentrantLock writing = new ReentrantLock();

    /** The first day that there are deliveries of. */
    private int begin;
    /** Days of which something was read before its event. */
    private final NavigableSet<Integer> earlyDays = new TreeSet<>();

    private DeliveryIndex(LocalStore store, Duration keep, InstantSource clock) {
        this.store = store;
        this.keep = keep;
        this.clock = clock;
    }

    /**
     * Reserves the folder for this process.
     *
     * @param keep how long deliveries are told of after their event
     * @throws SettingsException where the folder cannot be written or another process holds it; its
     *     message is one line
     */
    public static DeliveryIndex in(Path folder, Duration keep, InstantSource clock) {
        return new DeliveryIndex(LocalStore.in(folder, "gateway.deliveries.directory", BOUNDS), keep, clock);
    }

    // Folding

    /**
     * Opens the rows, and deletes them if they do not fit the topics.
     *
     * @throws StoreException if they cannot be opened
     * @throws IOException if rows that do not fit cannot be deleted
     */
    CopiedTopics.Opened open(CopiedTopics topics) throws IOException {
        complete = false;
        StoredDeliveries.Kept kept = kept();
        CopiedTopics.Opened opened = topics.open(
                store,
                DeliveryTable.FORM,
                database -> ReadOffsets.of(database, DeliveryTable.OFFSETS),
                database -> begin(database)
                        .filter(day -> day > kept.first())
                        .map(day -> late(day, kept))
                        .orElse(null));
        store.run(database -> write(() -> {
            begin = begin(database).orElse(kept.stored());
            putBegin(database);
            findEarlyDays(database);
        }));
        return opened;
    }

    /** The time from which on events are kept. For the thread that reads. */
    Instant begin() {
        return Instant.EPOCH.plus(Duration.ofDays(begin));
    }

    /** Where a longer time is configured, or the gateway's clock was ahead. */
    private static String late(int begin, StoredDeliveries.Kept kept) {
        return "it begins on " + StoredDeliveries.date(begin) + ", and deliveries are kept since "
                + StoredDeliveries.date(kept.first());
    }

    private static Optional<Integer> begin(LocalDatabase database) {
        return Optional.ofNullable(database.get(StoredDeliveries.beginKey()))
                .map(row -> Math.toIntExact(StoredDeliveries.number(row)));
    }

    private void putBegin(LocalDatabase database) {
        try (RowBatch rows = database.batch()) {
            rows.put(StoredDeliveries.beginKey(), StoredDeliveries.number(begin));
            database.write(rows);
        }
    }

    private void findEarlyDays(LocalDatabase database) {
        earlyDays.clear();
        RowKey all = RowKey.in(DeliveryTable.EARLY);
        for (int day = 0; day >= 0; ) {
            try (Rows rows = database.from(RowKey.in(DeliveryTable.EARLY).day(day), all)) {
                day = rows.present()
                        ? Short.toUnsignedInt(ByteBuffer.wrap(rows.key()).getShort(1))
                        : -1;
                if (day >= 0) {
                    earlyDays.add(day);
                    day++;
                }
            }
        }
    }

    /**
     * Changes rows together with the offsets that follow.
     *
     * @throws StoreException where rows cannot be read or written; nothing is written then
     */
    void fold(Iterable<ConsumerRecord<String, byte[]>> records, Map<TopicPartition, OffsetAndMetadata> next) {
        store.run(database -> write(() -> {
            forgetOld(database);
            try (RowBatch rows = database.batch()) {
                var fold = new DeliveryFold(rows, kept(), earlyDays);
                records.forEach(fold::fold);
                ReadOffsets.put(rows, DeliveryTable.OFFSETS, next);
                if (!rows.isEmpty()) {
                    database.write(rows);
                }
            }
        }));
    }

    private void write(Runnable work) {
        writing.lock();
        try {
            work.run();
        } finally {
            writing.unlock();
        }
    }

    private void forgetOld(LocalDatabase database) {
        StoredDeliveries.Kept kept = kept();
        if (kept.first() < begin) {
            throw store.distrust(late(begin, kept));
        }
        if (kept.stored() > begin) {
            begin = kept.stored();
            putBegin(database); // first: where the clock was wrong, they are built again
            DeliveryTable.deleteBefore(database, begin);
            earlyDays.headSet(begin).clear();
        }
    }

    /** A resend that Kafka has acknowledged. */
    public record Resent(Resend resend, int partition, long offset) {}

    /**
     * Folds what this gateway has resent before it reads that, so that its next answer knows it. Where rows are just being
     * opened, or cannot be written, the reader folds it later.
     */
    public void resent(List<Resent> resends) {
        try {
            Optional<Boolean> unused = store.useNow(database -> {
                write(() -> {
                    try (RowBatch rows = database.batch()) {
                        var fold = new DeliveryFold(rows, kept(), earlyDays);
                        resends.forEach(resent -> fold.resend(resent.resend(), resent.partition(), resent.offset()));
                        database.write(rows);
                    }
                });
                return true;
            });
        } catch (StoreException e) {
            LOG.warn("resent events are known when they are read error={}", e.getMessage());
        }
    }

    /** What is on the disk. */
    LocalStore store() {
        return store;
    }

    /** Whether everything was folded that there was when the rows were opened. */
    void completed(boolean all) {
        complete = all;
    }

    /** @throws StoreException where the clock is wrong, as before it is set at the start of a machine */
    private StoredDeliveries.Kept kept() {
        Instant now = clock.instant();
        if (!StoredDeliveries.Kept.plausible(now)) {
            throw new StoreException("this gateway's clock is wrong: " + now, false);
        }
        return StoredDeliveries.Kept.at(now, keep);
    }

    // Queries

    /** The delivery, if it is known and belongs to the account. */
    public Optional<DeliveryView> find(String accountId, DeliveryId id) {
        return ask(stored -> stored.find(accountId, id));
    }

    /** Newest first, after the cursor or from the newest. */
    public PageScan<DeliveryView> newest(
            String accountId, DeliverySelection selection, @Nullable DeliveryCursor after, int limit) {
        return ask(stored -> {
            if (selection.report() != null) {
                List<DeliveryView> all = stored.of(accountId, selection.report(), after);
                return PageScan.of(all.iterator(), selection::matches, limit);
            }
            try (DeliveryScan scan = DeliveryScan.newest(stored, accountId, selection, after)) {
                return PageScan.of(scan, selection::matches, limit);
            }
        });
    }

    /**
     * Oldest first, the order in which they are resent.
     *
     * @param left deliveries that match beyond the limit, as far as they are counted
     */
    public record Oldest(List<DeliveryView> deliveries, long left) {}

    /** @param selection not by report */
    public Oldest oldest(String accountId, DeliverySelection selection, int limit) {
        return oldest(accountId, selection, limit, MOST_COUNTED);
    }

    Oldest oldest(String accountId, DeliverySelection selection, int limit, long mostCounted) {
        return ask(stored -> {
            List<DeliveryView> oldest = new ArrayList<>();
            try (DeliveryScan scan = DeliveryScan.oldest(stored, accountId, selection)) {
                while (oldest.size() < limit && scan.hasNext()) {
                    oldest.add(scan.next());
                }
                return new Oldest(oldest, scan.countRest(mostCounted));
            }
        });
    }

    /**
     * What the deliveries of the account's endpoints add up to, by scheme, host and port and in the order of these.
     *
     * @param after the one that they come after, or null
     */
    public NavigableMap<String, EndpointTotals> endpoints(String accountId, @Nullable String after, int most) {
        return ask(stored -> stored.endpoints(accountId, after, most));
    }

    /** {@link WebhookEndpoint#key()} of the account's endpoint with the id. */
    public Optional<String> endpointKey(String accountId, String endpoint) {
        return ask(stored -> stored.keyOf(accountId, endpoint));
    }

    private <T> T ask(Function<StoredDeliveries, T> question) {
        return store.use(database -> {
            if (!complete) { // rows that are built again must not answer that there is nothing
                throw new StoreException("the deliveries are still being read", false);
            }
            return question.apply(new StoredDeliveries(database, kept()));
        });
    }

    /** Bytes of the files; 0 while they are not open. */
    public long bytes() {
        return store.bytes();
    }

    @Override
    public void close() {
        store.close();
    }
}
