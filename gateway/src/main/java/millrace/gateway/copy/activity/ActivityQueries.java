package millrace.gateway.copy.activity;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Consumer;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import org.jspecify.annotations.Nullable;

/** Reads what happened to an account. Days before the kept ones have nothing. */
public final class ActivityQueries {
    private final LocalDatabase database;
    private final KeptDays kept;

    ActivityQueries(LocalDatabase database, KeptDays kept) {
        this.database = database;
        this.kept = kept;
    }

    public KeptDays kept() {
        return kept;
    }

    /** @param dataset of the entry's report; null where it has none, or Kafka does not know the report any more */
    public record Entry(LedgerEntry entry, @Nullable String dataset) {}

    /** A place in an account's entries, the newest first. */
    public record EntryPlace(int day, long sequence) {}

    /** @param dataset null if Kafka does not know the report any more */
    public record Usage(int day, @Nullable String dataset, UsedCredits used) {}

    public record Statistics(int day, String dataset, EndedReports ended) {}

    /**
     * Ledger entries, the newest day first, and within it the highest sequence.
     *
     * @param from inclusive
     * @param to exclusive
     * @param after null for the newest
     */
    public List<Entry> entries(String accountId, Instant from, Instant to, @Nullable EntryPlace after, int most) {
        int newest = to.isAfter(KeptDays.start(kept.last())) ? kept.last() : KeptDays.day(to);
        int oldest = from.isAfter(KeptDays.start(kept.firstOfLedger())) ? KeptDays.day(from) : kept.firstOfLedger();
        List<Entry> found = new ArrayList<>();
        for (int day = after == null ? newest : Math.min(newest, after.day()); day >= oldest; day--) {
            RowKey before = after == null || after.day() != day
                    ? null
                    : ActivityFold.ledgerKey(day, accountId, after.sequence());
            try (Rows rows = database.backwards(RowKey.in(Table.LEDGER).day(day).text(accountId), before)) {
                for (; rows.present() && found.size() < most; rows.next()) {
                    LedgerEntry entry = Topics.CREDIT_LEDGER.decode(rows.value());
                    if (!entry.occurredAt().isBefore(from) && entry.occurredAt().isBefore(to)) {
                        found.add(new Entry(entry, dataset(entry)));
                    }
                }
            }
            if (found.size() == most) {
                break;
            }
        }
        return found;
    }

    /** The place of an entry, after which the next page begins. */
    public static EntryPlace place(LedgerEntry entry) {
        return new EntryPlace(KeptDays.day(entry.occurredAt()), entry.sequence());
    }

    /** Used credits by day, the newest first, and dataset. */
    public List<Usage> usage(String accountId, int firstDay, int lastDay) {
        List<Usage> found = new ArrayList<>();
        for (int day = Math.min(lastDay, kept.last()); day >= Math.max(firstDay, kept.firstOfLedger()); day--) {
            try (Rows rows = database.all(RowKey.in(Table.USAGE).day(day).text(accountId))) {
                for (; rows.present(); rows.next()) {
                    String dataset = lastText(rows.key());
                    found.add(new Usage(
                            day,
                            dataset.equals(ActivityFold.UNKNOWN) ? null : dataset,
                            UsedCredits.read(rows.value())));
                }
            }
        }
        return found;
    }

    public record TagUsage(int day, String dataset, String value, UsedCredits used) {}

    /**
     * Gives the used credits of reports that have a tag, by day, the newest first, the tag's value and dataset. They are
     * read one by one, since an account can have millions of them.
     */
    public void tagUsage(String accountId, String tag, int firstDay, int lastDay, Consumer<TagUsage> each) {
        for (int day = Math.min(lastDay, kept.last()); day >= Math.max(firstDay, kept.firstOfLedger()); day--) {
            RowKey prefix = ActivityFold.tagUsageKey(day, accountId, tag);
            int length = prefix.bytes().length;
            int at = day;
            database.each(prefix, (key, row) -> {
                ByteBuffer in = ByteBuffer.wrap(key).position(length);
                String value = RowKey.text(in);
                each.accept(new TagUsage(at, RowKey.text(in), value, UsedCredits.read(row)));
            });
        }
    }

    /** @param dataset null if Kafka does not know the report any more */
    public record AccountUsage(String accountId, @Nullable String dataset, UsedCredits used) {
        /** Its place among the others, of any days. */
        public UsagePlace place() {
            return new UsagePlace(accountId, dataset == null ? ActivityFold.UNKNOWN : dataset);
        }
    }

    /** A place in the usage of all accounts. */
    public record UsagePlace(String accountId, String dataset) {}

    /**
     * Used credits of all accounts, each account's together, by dataset. The days are read side by side, so that
     * nothing is kept but the answer.
     *
     * @param after null for the first
     */
    public List<AccountUsage> usageOfAll(int firstDay, int lastDay, @Nullable UsagePlace after, int most) {
        List<AccountUsage> found = new ArrayList<>();
        List<Rows> days = new ArrayList<>();
        try {
            var next = new PriorityQueue<Rows>(
                    Comparator.comparing(ActivityQueries::accountAndDataset, Arrays::compareUnsigned));
            for (int day = Math.max(firstDay, kept.firstOfLedger()); day <= Math.min(lastDay, kept.last()); day++) {
                RowKey prefix = RowKey.in(Table.USAGE).day(day);
                Rows rows = after == null
                        ? database.all(prefix)
                        : database.from(
                                RowKey.in(Table.USAGE)
                                        .day(day)
                                        .text(after.accountId())
                                        .text(after.dataset()),
                                prefix);
                days.add(rows);
                offer(next, rows);
            }
            while (!next.isEmpty()) {
                byte[] key = accountAndDataset(next.element());
                UsedCredits used = UsedCredits.NONE;
                while (!next.isEmpty() && Arrays.equals(accountAndDataset(next.element()), key)) {
                    Rows rows = next.remove();
                    used = used.plus(UsedCredits.read(rows.value()));
                    rows.next();
                    offer(next, rows);
                }
                ByteBuffer in = ByteBuffer.wrap(key);
                var place = new UsagePlace(RowKey.text(in), RowKey.text(in));
                if (!place.equals(after)) {
                    if (found.size() == most) {
                        break;
                    }
                    String dataset = place.dataset().equals(ActivityFold.UNKNOWN) ? null : place.dataset();
                    found.add(new AccountUsage(place.accountId(), dataset, used));
                }
            }
            return found;
        } finally {
            days.forEach(Rows::close);
        }
    }

    private static void offer(PriorityQueue<Rows> next, Rows rows) {
        if (rows.present()) {
            next.add(rows);
        }
    }

    /** The part of a key of usage that follows the day. */
    private static byte[] accountAndDataset(Rows rows) {
        byte[] key = rows.key();
        return Arrays.copyOfRange(key, 1 + Short.BYTES, key.length);
    }

    /** How attempts ended, by day, the newest first, and dataset. */
    public List<Statistics> statistics(String accountId, int firstDay, int lastDay) {
        List<Statistics> found = new ArrayList<>();
        for (int day = Math.min(lastDay, kept.last()); day >= Math.max(firstDay, kept.firstOfEvents()); day--) {
            try (Rows rows = database.all(RowKey.in(Table.STATISTICS).day(day).text(accountId))) {
                for (; rows.present(); rows.next()) {
                    found.add(new Statistics(day, lastText(rows.key()), EndedReports.read(rows.value())));
                }
            }
        }
        found.sort(Comparator.comparingInt(Statistics::day).reversed().thenComparing(Statistics::dataset));
        return found;
    }

    /** The changes of a report's status, the first one first. */
    public List<ReportStatus> timeline(String accountId, UUID reportId) {
        List<ReportStatus> found = new ArrayList<>();
        for (int day = kept.firstOfEvents(); day <= kept.last(); day++) {
            database.each(RowKey.in(Table.TIMELINE).day(day).report(reportId), (key, row) -> {
                ReportStatus status = Topics.REPORT_STATUS.decode(row);
                if (status.accountId().equals(accountId)) {
                    found.add(status);
                }
            });
        }
        found.sort(Comparator.comparingInt(ReportStatus::sequence));
        return found;
    }

    /**
     * The ledger entries about a report, the first one first.
     *
     * @param from when the report was submitted
     * @param to its last change
     */
    public List<Entry> entriesOf(String accountId, UUID reportId, Instant from, Instant to) {
        List<Entry> found = new ArrayList<>();
        // A day more on each side: clocks differ.
        int last = Math.min(kept.last(), KeptDays.day(to) + 1);
        for (int day = Math.max(kept.firstOfLedger(), KeptDays.day(from) - 1); day <= last; day++) {
            try (Rows rows =
                    database.all(RowKey.in(Table.REPORT_ENTRIES).day(day).report(reportId))) {
                for (; rows.present(); rows.next()) {
                    long sequence = sequence(rows);
                    byte[] entry = database.get(ActivityFold.ledgerKey(day, accountId, sequence));
                    if (entry != null) {
                        LedgerEntry decoded = Topics.CREDIT_LEDGER.decode(entry);
                        if (reportId.equals(decoded.reportId())) {
                            found.add(new Entry(decoded, dataset(decoded)));
                        }
                    }
                }
            }
        }
        found.sort(Comparator.comparingLong(e -> e.entry().sequence()));
        return found;
    }

    /** The sequence of the account's last ledger entry, 0 where there is none. */
    public long lastEntry(String accountId) {
        byte[] account = database.get(RowKey.in(Table.ACCOUNTS).text(accountId));
        return account == null ? 0 : ByteBuffer.wrap(account).getLong();
    }

    /**
     * An entry of the ledger as its record has it.
     *
     * @param json with the fields that this build does not know
     * @param groups what the report is counted for, of a settlement; null if Kafka does not know the report any more
     */
    public record BookedEntry(
            LedgerEntry entry, JsonNode json, @Nullable ReportGroups groups) {}

    /**
     * The account's entries after a sequence, in the order of their sequences. If a clock was set, that is not the
     * order of their days.
     *
     * @param firstDay before which none of them was booked
     */
    public List<BookedEntry> entriesAfter(String accountId, int firstDay, long sequence, int most) {
        List<BookedEntry> found = new ArrayList<>();
        List<Rows> days = new ArrayList<>();
        try {
            var next = new PriorityQueue<DayRows>(Comparator.comparingLong(DayRows::sequence));
            for (int day = Math.max(firstDay, kept.firstOfLedger()); day <= kept.last(); day++) {
                Rows rows = database.from(
                        ActivityFold.ledgerKey(day, accountId, sequence + 1),
                        RowKey.in(Table.LEDGER).day(day).text(accountId));
                days.add(rows);
                offerDay(next, rows);
            }
            while (!next.isEmpty() && found.size() < most) {
                Rows rows = next.remove().rows();
                found.add(booked(rows.value()));
                rows.next();
                offerDay(next, rows);
            }
            return found;
        } finally {
            days.forEach(Rows::close);
        }
    }

    /** The entries of a day, and the sequence of the one that they are at, which is read from the disk once. */
    private record DayRows(long sequence, Rows rows) {}

    private static void offerDay(PriorityQueue<DayRows> next, Rows rows) {
        if (rows.present()) {
            next.add(new DayRows(sequence(rows), rows));
        }
    }

    private static long sequence(Rows rows) {
        byte[] key = rows.key();
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    private BookedEntry booked(byte[] record) {
        LedgerEntry entry = Topics.CREDIT_LEDGER.decode(record);
        return new BookedEntry(entry, json(record), entry.kind() == LedgerEntry.Kind.SETTLEMENT ? groups(entry) : null);
    }

    private static JsonNode json(byte[] bytes) {
        try {
            return Json.MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The accounts that have entries in the ledger. */
    public List<String> accounts() {
        List<String> found = new ArrayList<>();
        database.each(
                RowKey.in(Table.ACCOUNTS),
                (key, row) -> found.add(RowKey.text(ByteBuffer.wrap(key).position(1))));
        return found;
    }

    /** The signed statements of an account, the newest first. */
    public List<JsonNode> statements(String accountId, int most) {
        List<JsonNode> found = new ArrayList<>();
        try (Rows rows = database.backwards(RowKey.in(Table.STATEMENTS).text(accountId), null)) {
            for (; rows.present() && found.size() < most; rows.next()) {
                found.add(json(rows.value()));
            }
        }
        return found;
    }

    /** The signed statement of a month; empty if there is none. */
    public Optional<JsonNode> statement(String accountId, YearMonth month) {
        return Optional.ofNullable(database.get(ActivityFold.statementKey(accountId, month.toString())))
                .map(ActivityQueries::json);
    }

    /** Public keys that sign, as JSON Web Keys, which were announced since then. */
    public List<JsonNode> signingKeys(Instant since) {
        List<JsonNode> found = new ArrayList<>();
        database.each(RowKey.in(Table.SIGNING_KEYS), (key, row) -> {
            if (ActivityFold.number(row) >= since.toEpochMilli()) {
                found.add(json(Arrays.copyOfRange(row, Long.BYTES, row.length)));
            }
        });
        return found;
    }

    /** The entry of a grant or an expiry, by its id; empty where there is none that is kept. */
    public Optional<LedgerEntry> moved(String accountId, String id) {
        for (int period = Table.period(kept.last()); period >= Table.period(kept.firstOfLedger()); period--) {
            byte[] entry = database.get(ActivityFold.moveKey(period, accountId, id));
            if (entry != null) {
                return Optional.of(Topics.CREDIT_LEDGER.decode(entry));
            }
        }
        return Optional.empty();
    }

    @Nullable
    String dataset(LedgerEntry entry) {
        ReportGroups found = groups(entry);
        return found == null ? null : found.dataset();
    }

    private @Nullable ReportGroups groups(LedgerEntry entry) {
        UUID reportId = entry.reportId();
        if (reportId == null) {
            return null;
        }
        int own = Table.period(KeptDays.day(entry.occurredAt()));
        ReportGroups found = groups(own, reportId);
        for (int period = Table.period(kept.firstOfLedger());
                found == null && period <= Table.period(kept.last());
                period++) {
            found = groups(period, reportId);
        }
        return found;
    }

    private @Nullable ReportGroups groups(int period, UUID reportId) {
        return ReportGroups.read(
                database.get(RowKey.in(Table.DATASETS).day(period).report(reportId)));
    }

    /** The dataset at the end of a key of a day and an account. */
    private static String lastText(byte[] key) {
        ByteBuffer in = ByteBuffer.wrap(key).position(1 + Short.BYTES);
        String unused = RowKey.text(in);
        return RowKey.text(in);
    }

    // The feed

    /** The event of a row of the feed; null where what it is about is not kept any more. */
    @Nullable
    ActivityEvent event(ActivityEvent.Place place, String accountId, byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row).position(Long.BYTES);
        String topic = place.partition().topic();
        if (topic.equals(Topics.REPORT_EVENTS.name())) {
            int day = Short.toUnsignedInt(in.getShort());
            var reportId = new UUID(in.getLong(), in.getLong());
            byte[] status = database.get(ActivityFold.timelineKey(day, reportId, in.getInt()));
            return status == null ? null : new ActivityEvent.ReportChanged(place, Topics.REPORT_STATUS.decode(status));
        }
        if (topic.equals(Topics.CREDIT_LEDGER.name())) {
            int day = Short.toUnsignedInt(in.getShort());
            byte[] stored = database.get(ActivityFold.ledgerKey(day, accountId, in.getLong()));
            if (stored == null) {
                return null;
            }
            LedgerEntry entry = Topics.CREDIT_LEDGER.decode(stored);
            return new ActivityEvent.Entered(place, entry, dataset(entry), ActivityFold.lowBelow(in.getLong()));
        }
        byte[] whole = new byte[in.remaining()];
        in.get(whole);
        if (topic.equals(Topics.DATASET_VERSIONS.name())) {
            return new ActivityEvent.VersionAvailable(place, Topics.DATASET_VERSIONS.decode(whole));
        }
        return new ActivityEvent.Attempted(place, Topics.WEBHOOK_ATTEMPTS.decode(whole));
    }
}
