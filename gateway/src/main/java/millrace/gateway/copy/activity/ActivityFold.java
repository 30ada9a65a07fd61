package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.runtime.kafka.UnreadableRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds the records of one poll into a batch. What follows from all records does not depend on how
 * those of different partitions follow each other, and folding one again changes no answer.
 */
final class ActivityFold {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityFold.class);
    /** In place of a dataset that is not known yet. */
    static final String UNKNOWN = "";

    private static final ReportGroups UNKNOWN_GROUPS = new ReportGroups(UNKNOWN, Map.of());

    /** In place of an account: events of all accounts. */
    static final String EVERYBODY = "";

    private static final long NO_GRANT = -1;
    private static final long NOT_LOW = -1;

    private final RowBatch batch;
    private final KeptDays kept;
    private final Map<TopicPartition, FeedPartition> partitions;
    private final Set<String> accounts = new HashSet<>();

    /** @param partitions as they are before */
    ActivityFold(RowBatch batch, KeptDays kept, Map<TopicPartition, FeedPartition> partitions) {
        this.batch = batch;
        this.kept = kept;
        this.partitions = new HashMap<>(partitions);
    }

    /** Folds a record; one that cannot be read is skipped. */
    void fold(ConsumerRecord<String, byte[]> record) {
        try {
            String topic = record.topic();
            if (topic.equals(Topics.REPORT_STATUS.name())) {
                status(record);
            } else if (topic.equals(Topics.REPORT_EVENTS.name())) {
                report(record, Topics.REPORT_EVENTS.decode(record.value()));
            } else if (topic.equals(Topics.CREDIT_LEDGER.name())) {
                entry(record, Topics.CREDIT_LEDGER.decode(record.value()));
            } else if (topic.equals(Topics.WEBHOOK_ATTEMPTS.name())) {
                attempt(record, Topics.WEBHOOK_ATTEMPTS.decode(record.value()));
            } else if (topic.equals(Topics.DATASET_VERSIONS.name())) {
                version(record, Topics.DATASET_VERSIONS.decode(record.value()));
            } else if (topic.equals(Topics.CREDIT_STATEMENTS.name())) {
                statement(record);
            }
        } catch (SerializationException | IllegalArgumentException | ArithmeticException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    /** Adds to the batch where reading goes on, and returns it. */
    Map<TopicPartition, FeedPartition> finish(
            Map<TopicPartition, FeedPartition> before, Map<TopicPartition, Long> next) {
        next.forEach((partition, offset) -> {
            FeedPartition read = partitions
                    .getOrDefault(partition, FeedPartition.startingAt(offset))
                    .readTo(offset);
            partitions.put(partition, read);
            FeedPartition old = before.get(partition);
            if (!read.equals(old)) {
                batch.put(offsetsKey(partition), read.bytes());
                read.firsts().forEach((day, first) -> {
                    if (old == null || !old.firsts().containsKey(day)) {
                        batch.put(feedDaysKey(partition).day(day), number(first));
                    }
                });
            }
        });
        return Map.copyOf(partitions);
    }

    /** The accounts that have new events, {@link #EVERYBODY} among them where all may have. */
    Set<String> accounts() {
        return accounts;
    }

    // The topics

    /** Only the dataset is of interest, of reports whose events Kafka has no more. */
    private void status(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            return;
        }
        UUID reportId = UUID.fromString(record.key().substring(record.key().lastIndexOf('/') + 1));
        int day = KeptDays.day(Instant.ofEpochMilli(record.timestamp()));
        if (!kept.hasLedgerOf(day) || batch.get(datasetKey(day, reportId)) != null) {
            return; // most records, and they are not decoded
        }
        ReportStatus report = Topics.REPORT_STATUS.decode(record.value());
        dataset(report, day);
        dataset(report, KeptDays.day(report.submittedAt()));
    }

    private void report(ConsumerRecord<String, byte[]> record, ReportEvent event) {
        ReportStatus report = event.report();
        Instant occurredAt = event.timings().occurredAt();
        int day = KeptDays.day(occurredAt);
        dataset(report, day);
        if (kept.hasEventsOf(day) && batch.get(timelineKey(day, report.reportId(), report.sequence())) == null) {
            batch.put(timelineKey(day, report.reportId(), report.sequence()), Json.bytes(report));
            EndedReports ended = ended(report, event.timings());
            if (ended != null) {
                RowKey key = RowKey.in(Table.STATISTICS)
                        .day(day)
                        .text(report.accountId())
                        .text(report.dataset());
                byte[] before = batch.get(key);
                batch.put(
                        key, (before == null ? ended : EndedReports.read(before).plus(ended)).bytes());
            }
        }
        feed(
                record,
                report.accountId(),
                ByteBuffer.allocate(Short.BYTES + 2 * Long.BYTES + Integer.BYTES)
                        .putShort((short) day)
                        .putLong(report.reportId().getMostSignificantBits())
                        .putLong(report.reportId().getLeastSignificantBits())
                        .putInt(report.sequence())
                        .array());
    }

    private void entry(ConsumerRecord<String, byte[]> record, LedgerEntry entry) {
        RowKey accountKey = RowKey.in(Table.ACCOUNTS).text(entry.accountId());
        byte[] account = batch.get(accountKey);
        long sequence = account == null ? 0 : ByteBuffer.wrap(account).getLong();
        long grant = account == null ? NO_GRANT : ByteBuffer.wrap(account).getLong(Long.BYTES);
        if (entry.sequence() <= sequence) {
            return; // folded before
        }
        int day = KeptDays.day(entry.occurredAt());
        boolean isGrant = entry.kind() == LedgerEntry.Kind.GRANT;
        batch.put(
                accountKey,
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(entry.sequence())
                        .putLong(isGrant ? entry.amount() : grant)
                        .array());
        if (kept.hasLedgerOf(day)) {
            batch.put(ledgerKey(day, entry.accountId(), entry.sequence()), record.value());
            if (isGrant || entry.kind() == LedgerEntry.Kind.EXPIRY) {
                batch.put(moveKey(period(day), entry.accountId(), entry.entryId()), record.value());
            }
            UUID reportId = entry.reportId();
            if (reportId != null) {
                batch.put(
                        RowKey.in(Table.REPORT_ENTRIES)
                                .day(day)
                                .report(reportId)
                                .number(entry.sequence()),
                        new byte[0]);
                if (entry.kind() == LedgerEntry.Kind.SETTLEMENT) {
                    settlement(entry, reportId, day);
                }
            }
        }
        feed(
                record,
                entry.accountId(),
                ByteBuffer.allocate(Short.BYTES + 2 * Long.BYTES)
                        .putShort((short) day)
                        .putLong(entry.sequence())
                        .putLong(lowBelow(entry, grant))
                        .array());
    }

    private void attempt(ConsumerRecord<String, byte[]> record, WebhookAttempt attempt) {
        feed(record, attempt.accountId(), record.value());
    }

    private void version(ConsumerRecord<String, byte[]> record, DataVersionAvailable version) {
        feed(record, EVERYBODY, Topics.DATASET_VERSIONS.encode(version));
    }

    /** The first statement of an account and month counts: several gateways may make it at the same time. */
    private void statement(ConsumerRecord<String, byte[]> record) {
        int slash = record.key().lastIndexOf('/');
        if (slash < 0) {
            batch.put(
                    RowKey.in(Table.SIGNING_KEYS).last(record.key()),
                    joined(number(record.timestamp()), record.value()));
            return;
        }
        RowKey key = statementKey(record.key().substring(0, slash), record.key().substring(slash + 1));
        if (batch.get(key) == null) {
            batch.put(key, record.value());
        }
    }

    // What follows from them

    /** The timestamp of a row comes first: what has partitions in the order of time needs no more. */
    private void feed(ConsumerRecord<String, byte[]> record, String accountId, byte[] event) {
        var partition = new TopicPartition(record.topic(), record.partition());
        FeedPartition read = partitions
                .getOrDefault(partition, FeedPartition.startingAt(record.offset()))
                .recorded(
                        record.offset(), KeptDays.day(Instant.ofEpochMilli(record.timestamp())), kept.firstOfEvents());
        partitions.put(partition, read);
        if (kept.hasEventsOf(read.day())) {
            ByteBuffer value = ByteBuffer.allocate(Long.BYTES + event.length);
            batch.put(
                    feedKey(read.day(), accountId, partition).number(record.offset()),
                    value.putLong(record.timestamp()).put(event).array());
            accounts.add(accountId);
        }
    }

    /** The threshold where the entry made remaining fall below it, else {@link #NOT_LOW}. */
    private static long lowBelow(LedgerEntry entry, long lastGrant) {
        boolean falls =
                switch (entry.kind()) {
                    case RESERVATION, EXPIRY -> true;
                    case OPENING, GRANT, SETTLEMENT, RELEASE -> false;
                };
        long threshold = (lastGrant == NO_GRANT ? entry.granted() : lastGrant) / 10;
        return falls && entry.remaining() < threshold && entry.remaining() + entry.amount() >= threshold
                ? threshold
                : NOT_LOW;
    }

    static @Nullable Long lowBelow(long stored) {
        return stored == NOT_LOW ? null : stored;
    }

    private @Nullable EndedReports ended(ReportStatus report, ReportEvent.Timings timings) {
        ReportStatus.Result result = report.result();
        return switch (report.outcome()) {
            case null -> null;
            case COMPLETED ->
                result == null
                        ? null
                        : EndedReports.complete(result.counts().rows(), result.usedQuota(), duration(report, timings));
            case CANCELLED -> EndedReports.CANCELLED;
            case FAILED -> EndedReports.FAILED;
        };
    }

    /** Of the first attempt since the request, of a retry since its start. */
    private long duration(ReportStatus report, ReportEvent.Timings timings) {
        int day = KeptDays.day(timings.occurredAt());
        for (int before = day; report.attempt() > 1 && before >= kept.firstOfEvents(); before--) {
            byte[] started = batch.get(timelineKey(before, report.reportId(), report.sequence() - 1));
            if (started != null) {
                Instant from = Topics.REPORT_STATUS.decode(started).updatedAt();
                return Duration.between(from, timings.occurredAt()).toMillis();
            }
        }
        return timings.elapsedMillis();
    }

    /** Counts used credits for the report's dataset and tags, or until they are known for none. */
    private void settlement(LedgerEntry entry, UUID reportId, int day) {
        var used = new UsedCredits(entry.amount(), 1);
        ReportGroups groups = null;
        for (int period = period(day); groups == null && period <= lastPeriod(); period++) {
            groups = groups(period, reportId);
        }
        for (int period = period(day) - 1; groups == null && period >= firstPeriod(); period--) {
            groups = groups(period, reportId);
        }
        use(entry.accountId(), day, groups == null ? UNKNOWN_GROUPS : groups, used);
        if (groups == null) {
            RowKey key = unassignedKey(period(day), reportId);
            byte[] before = batch.get(key);
            byte[] more = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                    .putInt(day)
                    .putLong(entry.amount())
                    .array();
            batch.put(key, before == null ? joined(utf8(entry.accountId()), more) : joined(before, more));
        }
    }

    private @Nullable ReportGroups groups(int period, UUID reportId) {
        return ReportGroups.read(batch.get(RowKey.in(Table.DATASETS).day(period).report(reportId)));
    }

    /** Keeps the report's dataset and tags at least as long as entries of that day. */
    private void dataset(ReportStatus report, int day) {
        if (!kept.hasLedgerOf(day)) {
            return;
        }
        UUID reportId = report.reportId();
        if (batch.get(datasetKey(day, reportId)) != null) {
            return;
        }
        ReportGroups groups = ReportGroups.of(report);
        batch.put(datasetKey(day, reportId), groups.bytes());
        for (int period = firstPeriod(); period <= lastPeriod(); period++) {
            byte[] unassigned = batch.get(unassignedKey(period, reportId));
            if (unassigned != null) {
                batch.delete(unassignedKey(period, reportId));
                assign(ByteBuffer.wrap(unassigned), groups);
            }
        }
    }

    private void assign(ByteBuffer unassigned, ReportGroups groups) {
        String accountId = RowKey.text(unassigned);
        while (unassigned.hasRemaining()) {
            int day = unassigned.getInt();
            var used = new UsedCredits(unassigned.getLong(), 1);
            if (kept.hasLedgerOf(day)) {
                use(accountId, day, UNKNOWN_GROUPS, UsedCredits.NONE.minus(used));
                use(accountId, day, groups, used);
            }
        }
    }

    private void use(String accountId, int day, ReportGroups groups, UsedCredits used) {
        use(RowKey.in(Table.USAGE).day(day).text(accountId).text(groups.dataset()), used);
        groups.tags()
                .forEach((name, value) ->
                        use(tagUsageKey(day, accountId, name).text(value).text(groups.dataset()), used));
    }

    private void use(RowKey key, UsedCredits used) {
        UsedCredits all = UsedCredits.read(batch.get(key)).plus(used);
        if (all.equals(UsedCredits.NONE)) {
            batch.delete(key);
        } else {
            batch.put(key, all.bytes());
        }
    }

    // Keys

    static RowKey offsetsKey(TopicPartition partition) {
        return inPartition(RowKey.in(Table.OFFSETS), partition);
    }

    static RowKey feedDaysKey(TopicPartition partition) {
        return inPartition(RowKey.in(Table.FEED_DAYS), partition);
    }

    /** The partition of a key that {@link #offsetsKey} or {@link #feedDaysKey} begins. */
    static TopicPartition partition(byte[] key) {
        ByteBuffer in = ByteBuffer.wrap(key).position(1);
        return new TopicPartition(RowKey.text(in), in.getInt());
    }

    /** The day at the end of a key. */
    static int day(byte[] key) {
        return Short.toUnsignedInt(ByteBuffer.wrap(key).getShort(key.length - Short.BYTES));
    }

    private static RowKey inPartition(RowKey key, TopicPartition partition) {
        return key.text(partition.topic()).number(partition.partition());
    }

    /** Without the offset. */
    static RowKey feedKey(int day, String accountId, TopicPartition partition) {
        boolean everybody = partition.topic().equals(Topics.DATASET_VERSIONS.name());
        return inPartition(RowKey.in(Table.FEED).day(day).text(everybody ? EVERYBODY : accountId), partition);
    }

    static RowKey timelineKey(int day, UUID reportId, int sequence) {
        return RowKey.in(Table.TIMELINE).day(day).report(reportId).number(sequence);
    }

    static RowKey ledgerKey(int day, String accountId, long sequence) {
        return RowKey.in(Table.LEDGER).day(day).text(accountId).number(sequence);
    }

    /** Without the tag's value. */
    static RowKey tagUsageKey(int day, String accountId, String name) {
        return RowKey.in(Table.TAG_USAGE).day(day).text(accountId).text(name);
    }

    private static RowKey datasetKey(int day, UUID reportId) {
        return RowKey.in(Table.DATASETS).day(period(day)).report(reportId);
    }

    static RowKey moveKey(int period, String accountId, String id) {
        return RowKey.in(Table.MOVES).day(period).text(accountId).text(id);
    }

    /** @param month {@code 2026-10} */
    static RowKey statementKey(String accountId, String month) {
        return RowKey.in(Table.STATEMENTS).text(accountId).last(month);
    }

    private static RowKey unassignedKey(int period, UUID reportId) {
        return RowKey.in(Table.UNASSIGNED).day(period).report(reportId);
    }

    private static int period(int day) {
        return Table.period(day);
    }

    private int firstPeriod() {
        return Table.period(kept.firstOfLedger());
    }

    private int lastPeriod() {
        return Table.period(kept.last());
    }

    private static byte[] utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Short.BYTES + bytes.length)
                .putShort((short) bytes.length)
                .put(bytes)
                .array();
    }

    private static byte[] joined(byte[] one, byte[] other) {
        return ByteBuffer.allocate(one.length + other.length)
                .put(one)
                .put(other)
                .array();
    }

    static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
