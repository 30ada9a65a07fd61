package millrace.processor.ledger.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import millrace.contracts.Json;
import millrace.processor.ledger.decide.EndedReport;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The reports that have ended for good, and the Idempotency-Keys that belong to them, as small entries. Many share a
 * row, so that a restore reads few records: rows are the buckets of a linear hash table, which gets one more bucket with
 * each entry that is added to a row of {@link #FULL} entries. To know which reports are due, there is one timer for each
 * row.
 */
public final class EndedReports {
    /**
     * Entries of a full row. Then rows have some 22 on average, and the largest some 70. An entry that comes or goes
     * writes its row again, 1 KB.
     */
    static final int FULL = 36;
    /** Entries of a row, on average, in a new table. */
    private static final int USUAL = 24;

    /** Timers that are added while the clock is set back by less than this are still found. */
    private static final Duration OVERLAP = Duration.ofMinutes(10);

    private static final byte[] NOTHING = {0};

    private final KeyValueStore<String, byte[]> store;
    private final TypedStore<Size> sizes;
    private @Nullable Size read;
    private Instant searched = Instant.EPOCH;
    private Consumer<Instant> added = at -> {};

    /** @param store that has its rows, among others */
    public EndedReports(KeyValueStore<String, byte[]> store) {
        this.store = store;
        this.sizes = new TypedStore<>(store, LedgerStores.ENDED_SIZE, Size.class);
    }

    /**
     * The size of the table, written when it grows.
     *
     * @param buckets at least 1
     */
    record Size(int buckets) {
        private static final String KEY = "ledger";
        private static final Size NONE = new Size(1);

        /** The bucket of an entry: as many low bits as there are buckets, one bit less for those that are not split. */
        int bucket(long place) {
            int whole = Integer.highestOneBit(buckets);
            int bucket = (int) (place & (2L * whole - 1));
            return bucket < buckets ? bucket : bucket & (whole - 1);
        }

        /** The bucket whose entries the next bucket takes its own from. */
        int next() {
            return buckets - Integer.highestOneBit(buckets);
        }
    }

    /** The keys and values of a new table that has these entries, which does not depend on their order. */
    static Map<String, byte[]> table(List<EndedEntry> entries) {
        Map<String, byte[]> table = new LinkedHashMap<>();
        if (entries.isEmpty()) {
            return table;
        }
        var size = new Size(Math.ceilDiv(entries.size(), USUAL));
        Map<Integer, List<EndedEntry>> buckets = new TreeMap<>();
        entries.forEach(entry -> buckets.computeIfAbsent(size.bucket(entry.place()), bucket -> new ArrayList<>())
                .add(entry));
        buckets.forEach((bucket, row) -> {
            row.sort(Comparator.comparing(EndedEntry::bytes, Arrays::compare));
            table.put(key(bucket), Objects.requireNonNull(EndedRow.encode(row)));
            firstDue(row).ifPresent(at -> table.put(timer(at, bucket), NOTHING));
        });
        table.put(LedgerStores.ENDED_SIZE + "/" + Size.KEY, Json.bytes(size));
        return table;
    }

    @Nullable
    EndedReport get(String account, UUID id) {
        return find(entries(size().bucket(EndedEntry.OfReport.place(id))), account, id)
                .map(EndedEntry.OfReport::report)
                .orElse(null);
    }

    /** Adds a report, or replaces what is known of it. */
    public void put(String account, EndedReport report) {
        replace(EndedEntry.OfReport.of(account, report), isReport(account, report.id()));
    }

    void remove(String account, UUID id) {
        int bucket = size().bucket(EndedEntry.OfReport.place(id));
        List<EndedEntry> before = entries(bucket);
        List<EndedEntry> after = new ArrayList<>(before);
        if (after.removeIf(isReport(account, id))) {
            write(bucket, before, after);
        }
    }

    /** Adds an Idempotency-Key of a report that has ended. */
    public void claim(String account, String keyHash, Instant until) {
        EndedEntry.OfKey key = EndedEntry.OfKey.of(account, keyHash, until);
        replace(key, isKey(key));
    }

    boolean isClaimed(String account, String keyHash, Instant now) {
        EndedEntry.OfKey key = EndedEntry.OfKey.of(account, keyHash, now);
        return entries(size().bucket(key.place())).stream()
                .anyMatch(entry -> isKey(key).test(entry) && entry.due().isAfter(now));
    }

    /**
     * Forgets Idempotency-Keys whose time is over, and returns the first reports of which something is due, at most
     * {@code most}. They are due until they are changed.
     */
    public List<LedgerTimers.Item> due(Instant now, int most) {
        List<LedgerTimers.Item> due = new ArrayList<>();
        List<String> timers = timers(now, most);
        for (String timer : timers) {
            int bucket = Integer.parseInt(timer.substring(timer.lastIndexOf('/') + 1));
            List<EndedEntry> before = entries(bucket);
            List<EndedEntry> after = new ArrayList<>();
            for (EndedEntry entry : before) {
                boolean isDue = !entry.due().isAfter(now);
                if (entry instanceof EndedEntry.OfReport report) {
                    after.add(entry);
                    if (isDue && due.size() < most) {
                        due.add(new LedgerTimers.Item(report.account(), report.id()));
                    }
                } else if (!isDue) {
                    after.add(entry);
                }
            }
            if (after.size() < before.size()) {
                write(bucket, before, after);
            }
        }
        if (timers.size() < most && due.size() < most && now.minus(OVERLAP).isAfter(searched)) {
            searched = now.minus(OVERLAP);
        }
        return due;
    }

    /** When the first entry is due; nothing if that is after {@code until}. */
    public Optional<Instant> next(Instant until) {
        return timers(until, 1).stream().findFirst().map(LedgerTimers::time);
    }

    /** @param listener gets the time of each timer that is added from now on */
    public void onAdded(Consumer<Instant> listener) {
        added = listener;
    }

    /** Has nothing due of a report before this time. */
    public void postpone(LedgerTimers.Item item, Instant until) {
        UUID id = item.reportId();
        EndedReport report = id == null ? null : get(item.accountId(), id);
        if (report != null) {
            put(item.accountId(), report.postponed(until));
        }
    }

    private void replace(EndedEntry entry, Predicate<EndedEntry> same) {
        int bucket = size().bucket(entry.place());
        List<EndedEntry> before = entries(bucket);
        List<EndedEntry> after = new ArrayList<>(before);
        boolean isNew = !after.removeIf(same);
        after.add(entry);
        write(bucket, before, after);
        if (isNew && before.size() >= FULL) {
            split();
        }
    }

    /** Adds a bucket, and moves those entries to it that belong there. */
    private void split() {
        var grown = new Size(size().buckets() + 1);
        int from = size().next();
        List<EndedEntry> before = entries(from);
        List<EndedEntry> stay = new ArrayList<>();
        List<EndedEntry> move = new ArrayList<>();
        before.forEach(entry -> (grown.bucket(entry.place()) == from ? stay : move).add(entry));
        write(from, before, stay);
        write(grown.buckets() - 1, List.of(), move);
        sizes.put(Size.KEY, grown);
        read = grown;
    }

    private Size size() {
        Size known = read;
        if (known == null) {
            Size stored = sizes.get(Size.KEY);
            known = stored == null ? Size.NONE : stored;
            read = known;
        }
        return known;
    }

    private List<EndedEntry> entries(int bucket) {
        return EndedRow.decode(store.get(key(bucket)));
    }

    /** Writes a row, and moves its timer. */
    private void write(int bucket, List<EndedEntry> before, List<EndedEntry> after) {
        if (before.equals(after)) {
            return;
        }
        Optional<Instant> was = firstDue(before);
        Optional<Instant> is = firstDue(after);
        if (!was.equals(is)) {
            was.ifPresent(at -> store.put(timer(at, bucket), null));
            is.ifPresent(at -> {
                store.put(timer(at, bucket), NOTHING);
                added.accept(at);
                searched = at.isBefore(searched) ? at : searched;
            });
        }
        store.put(key(bucket), EndedRow.encode(after));
    }

    /** The timers that are due, without the name of their kind. */
    private List<String> timers(Instant now, int most) {
        String kind = LedgerStores.ENDED_AGENDA + "/";
        List<String> found = new ArrayList<>();
        if (now.isBefore(searched)) {
            return found; // the wall clock was set back
        }
        try (KeyValueIterator<String, byte[]> timers =
                store.range(kind + LedgerTimers.time(searched), kind + LedgerTimers.time(now.plusMillis(1)))) {
            while (found.size() < most && timers.hasNext()) {
                KeyValue<String, byte[]> timer = timers.next();
                found.add(timer.key.substring(kind.length()));
            }
        }
        return found;
    }

    private static Optional<Instant> firstDue(List<EndedEntry> entries) {
        return entries.stream().map(EndedEntry::due).min(Comparator.naturalOrder());
    }

    private static Optional<EndedEntry.OfReport> find(List<EndedEntry> entries, String account, UUID id) {
        return entries.stream()
                .filter(isReport(account, id))
                .map(EndedEntry.OfReport.class::cast)
                .findFirst();
    }

    private static Predicate<EndedEntry> isReport(String account, UUID id) {
        return entry -> entry instanceof EndedEntry.OfReport report && report.is(account, id);
    }

    private static Predicate<EndedEntry> isKey(EndedEntry.OfKey key) {
        return entry -> entry instanceof EndedEntry.OfKey other && other.isSame(key);
    }

    private static String key(int bucket) {
        return LedgerStores.ENDED + "/" + bucket;
    }

    private static String timer(Instant at, int bucket) {
        return LedgerStores.ENDED_AGENDA + "/" + LedgerTimers.time(at) + "/" + bucket;
    }
}
