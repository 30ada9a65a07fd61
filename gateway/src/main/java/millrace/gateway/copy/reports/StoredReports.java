package millrace.gateway.copy.reports;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.NotCachedException;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import org.jspecify.annotations.Nullable;

/** Reads the rows of the read model. */
record StoredReports(LocalDatabase database) {
    /** Of ids that begin alike. Nobody has seen as many; whoever makes ids alike on purpose reads no more than that. */
    private static final int MOST_ALIKE = 1_000;

    private static final RowKey SIZE = RowKey.in(ReportTable.META).text("reports");

    // Keys

    static RowKey sizeKey() {
        return SIZE;
    }

    static RowKey accountKey(String accountId) {
        return RowKey.in(ReportTable.ACCOUNTS).text(accountId);
    }

    static RowKey placeKey(UUID reportId) {
        return RowKey.in(ReportTable.PLACES).report(reportId);
    }

    static RowKey statusKey(String accountId, HistoryCursor place) {
        return at(place, RowKey.in(ReportTable.STATUSES).text(accountId));
    }

    static RowKey unfinishedKey(Status status, String accountId, HistoryCursor place) {
        return at(place, unfinished(status).text(accountId));
    }

    static RowKey tagKey(String accountId, Map.Entry<String, String> tag, HistoryCursor place) {
        return at(place, tagged(accountId, tag));
    }

    private static RowKey tagged(String accountId, Map.Entry<String, String> tag) {
        return tagNamed(accountId, tag.getKey()).text(tag.getValue());
    }

    private static RowKey tagNamed(String accountId, String name) {
        return RowKey.in(ReportTable.TAGS).text(accountId).text(name);
    }

    static RowKey requestKey(UUID reportId) {
        return RowKey.in(ReportTable.REQUESTS).report(reportId);
    }

    static RowKey idempotencyKey(String accountId, UUID key, UUID reportId) {
        return RowKey.in(ReportTable.KEYS).text(accountId).report(key).report(reportId);
    }

    static RowKey erasedKey(UUID reportId) {
        return RowKey.in(ReportTable.ERASED).report(reportId);
    }

    private static RowKey unfinished(Status status) {
        return RowKey.in(ReportTable.UNFINISHED).number(StoredReport.code(status));
    }

    private static RowKey at(HistoryCursor place, RowKey key) {
        return key.number(inverted(place.submittedAt())).report(place.reportId());
    }

    /** So that later times come first; keys sort without a sign. */
    private static long inverted(long time) {
        return ~(time ^ Long.MIN_VALUE);
    }

    // Values

    /** What leads to a report's status. */
    record Place(String accountId, long submittedAt) {
        byte[] row() {
            byte[] account = accountId.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(Long.BYTES + account.length)
                    .putLong(submittedAt)
                    .put(account)
                    .array();
        }

        static Place of(byte[] row) {
            return new Place(
                    new String(row, Long.BYTES, row.length - Long.BYTES, StandardCharsets.UTF_8),
                    ByteBuffer.wrap(row).getLong());
        }

        HistoryCursor cursor(UUID reportId) {
            return new HistoryCursor(submittedAt, reportId);
        }
    }

    /**
     * What is known of a report's request.
     *
     * @param key of the client's Idempotency-Key, or null without one
     */
    record Request(RequestPosition position, @Nullable UUID key) {
        byte[] row() {
            long at =
                    switch (position) {
                        case RequestPosition.Settled settled -> settled.offset();
                        case RequestPosition.Since since -> since.time().toEpochMilli();
                        case RequestPosition.Command command ->
                            throw new IllegalArgumentException("the ledger has not written what is at " + command);
                    };
            ByteBuffer row = ByteBuffer.allocate(Integer.BYTES + Long.BYTES + (key == null ? 0 : 2 * Long.BYTES))
                    .putInt(position.partition())
                    .putLong(at);
            if (key != null) {
                row.putLong(key.getMostSignificantBits()).putLong(key.getLeastSignificantBits());
            }
            return row.array();
        }

        /** Of a request that was read. */
        static Request settled(byte[] row) {
            ByteBuffer in = ByteBuffer.wrap(row);
            return of(new RequestPosition.Settled(in.getInt(), in.getLong()), in);
        }

        /** Of a request that a status tells of. */
        static Request since(byte[] row) {
            ByteBuffer in = ByteBuffer.wrap(row);
            return of(new RequestPosition.Since(in.getInt(), Instant.ofEpochMilli(in.getLong())), in);
        }

        private static Request of(RequestPosition position, ByteBuffer rest) {
            return new Request(position, rest.hasRemaining() ? new UUID(rest.getLong(), rest.getLong()) : null);
        }
    }

    static byte[] key(UUID key) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(key.getMostSignificantBits())
                .putLong(key.getLeastSignificantBits())
                .array();
    }

    static UUID key(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        return new UUID(in.getLong(), in.getLong());
    }

    static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    // Questions

    @Nullable
    StoredReport report(UUID reportId) {
        byte[] row = database.get(placeKey(reportId));
        if (row == null) {
            return null;
        }
        Place place = Place.of(row);
        return report(place.accountId(), place.cursor(reportId));
    }

    private @Nullable StoredReport report(String accountId, HistoryCursor place) {
        byte[] status = database.get(statusKey(accountId, place));
        return status == null ? null : StoredReport.of(place, accountId, status);
    }

    /** Whether a report of the account has the tag. */
    boolean isTagged(String accountId, Map.Entry<String, String> tag) {
        try (Rows rows = database.all(tagged(accountId, tag))) {
            return rows.present();
        }
    }

    /** How many different values the reports of an account have of a tag, up to {@code most}. */
    int tagValues(String accountId, String name, int most) {
        return distinct(tagNamed(accountId, name), most);
    }

    /** How many tags of different names the reports of an account have, up to {@code most}. */
    int tagNames(String accountId, int most) {
        return distinct(RowKey.in(ReportTable.TAGS).text(accountId), most);
    }

    /** How many different texts follow the prefix in keys. Goes from text to text, past all keys that have the same. */
    private int distinct(RowKey prefix, int most) {
        int length = prefix.bytes().length;
        int found = 0;
        try (Rows rows = database.all(prefix)) {
            while (rows.present() && found < most) {
                found++;
                byte[] key = rows.key();
                int text =
                        Short.BYTES + Short.toUnsignedInt(ByteBuffer.wrap(key).getShort(length));
                rows.skip(Arrays.copyOf(key, length + text));
            }
        }
        return found;
    }

    /** Ids that begin so. */
    List<UUID> ids(IdPrefix prefix) {
        List<UUID> found = new ArrayList<>();
        try (Rows rows = database.from(placeKey(prefix.first()), RowKey.in(ReportTable.PLACES))) {
            for (; rows.present() && found.size() < MOST_ALIKE; rows.next()) {
                ByteBuffer key = ByteBuffer.wrap(rows.key()).position(1);
                UUID reportId = new UUID(key.getLong(), key.getLong());
                if (!prefix.begins(reportId)) {
                    break;
                }
                found.add(reportId);
            }
        }
        return found;
    }

    /** As {@link #report}, of what is in memory. */
    Optional<StoredReport> cached(UUID reportId) throws NotCachedException {
        byte[] row = database.cached(placeKey(reportId));
        if (row == null) {
            return Optional.empty();
        }
        Place place = Place.of(row);
        HistoryCursor cursor = place.cursor(reportId);
        return Optional.ofNullable(database.cached(statusKey(place.accountId(), cursor)))
                .map(status -> StoredReport.of(cursor, place.accountId(), status));
    }

    /** A request that was read. Most are not, since a status {@link StoredReport#request tells} of it. */
    @Nullable
    Request request(UUID reportId) {
        byte[] row = database.get(requestKey(reportId));
        return row == null ? null : Request.settled(row);
    }

    /** Reports that were requested with the Idempotency-Key. */
    List<UUID> reports(String accountId, UUID key) {
        List<UUID> reports = new ArrayList<>();
        database.each(RowKey.in(ReportTable.KEYS).text(accountId).report(key), (row, empty) -> {
            ByteBuffer report = ByteBuffer.wrap(row, row.length - 2 * Long.BYTES, 2 * Long.BYTES);
            reports.add(new UUID(report.getLong(), report.getLong()));
        });
        return reports;
    }

    boolean isErased(UUID reportId) {
        return database.get(erasedKey(reportId)) != null;
    }

    void balances(Consumer<AccountState> each) {
        database.each(RowKey.in(ReportTable.ACCOUNTS), (key, row) -> each.accept(Topics.ACCOUNT_STATE.decode(row)));
    }

    long size() {
        byte[] size = database.get(SIZE);
        return size == null ? 0 : ByteBuffer.wrap(size).getLong();
    }

    /** A report that has not ended, as far as the ledger wrote. */
    record Open(String accountId, HistoryCursor place, String dataset) {}

    /** @param accountId null for all accounts */
    void open(@Nullable String accountId, Consumer<Open> each) {
        RowKey all = unfinished(Status.PROCESSING);
        database.each(accountId == null ? all : all.text(accountId), (key, dataset) -> {
            At at = At.of(key, Integer.BYTES);
            each.accept(new Open(at.accountId(), at.place(), new String(dataset, StandardCharsets.UTF_8)));
        });
    }

    /**
     * An account's reports, newest first.
     *
     * @param after null from the newest
     * @param status null for all; with others than complete, only their rows are read
     * @param tag null for all; else only the rows of those that have it are read
     */
    History history(
            String accountId,
            @Nullable HistoryCursor after,
            @Nullable Status status,
            Map.@Nullable Entry<String, String> tag) {
        if (tag != null) {
            RowKey prefix = tagged(accountId, tag);
            Rows rows = after == null ? database.all(prefix) : database.from(tagKey(accountId, tag, after), prefix);
            return new History(At::ofTag, false, after, rows);
        }
        if (status == null || status == Status.COMPLETE) {
            RowKey prefix = RowKey.in(ReportTable.STATUSES).text(accountId);
            Rows rows = after == null ? database.all(prefix) : database.from(statusKey(accountId, after), prefix);
            return new History(key -> At.of(key, 0), true, after, rows);
        }
        RowKey prefix = unfinished(status).text(accountId);
        Rows rows =
                after == null ? database.all(prefix) : database.from(unfinishedKey(status, accountId, after), prefix);
        return new History(key -> At.of(key, Integer.BYTES), false, after, rows);
    }

    /** Reads a part of a history. To be closed. */
    final class History implements AutoCloseable {
        private final Function<byte[], At> place;
        private final boolean statuses;
        private final @Nullable HistoryCursor after;
        private final Rows rows;

        /**
         * @param place reads a key
         * @param statuses whether the rows are the statuses
         */
        private History(Function<byte[], At> place, boolean statuses, @Nullable HistoryCursor after, Rows rows) {
            this.place = place;
            this.statuses = statuses;
            this.after = after;
            this.rows = rows;
        }

        /** The next report; null at the end. */
        @Nullable
        StoredReport next() {
            StoredReport found = null;
            for (; found == null && rows.present(); rows.next()) {
                found = here();
            }
            return found;
        }

        /** Null at the cursor itself, and where the report has left the place since the rows were opened. */
        private @Nullable StoredReport here() {
            At at = place.apply(rows.key());
            if (at.place().equals(after)) {
                return null;
            }
            return statuses
                    ? StoredReport.of(at.place(), at.accountId(), rows.value())
                    : report(at.accountId(), at.place());
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    /** What a key of the history says. */
    private record At(String accountId, HistoryCursor place) {
        /** @param skipped bytes between the table and the account */
        static At of(byte[] key, int skipped) {
            ByteBuffer in = ByteBuffer.wrap(key).position(1 + skipped);
            return of(RowKey.text(in), in);
        }

        static At ofTag(byte[] key) {
            ByteBuffer in = ByteBuffer.wrap(key).position(1);
            String account = RowKey.text(in);
            String unusedName = RowKey.text(in);
            String unusedValue = RowKey.text(in);
            return of(account, in);
        }

        private static At of(String account, ByteBuffer in) {
            long time = inverted(in.getLong());
            return new At(account, new HistoryCursor(time, new UUID(in.getLong(), in.getLong())));
        }
    }
}
