package millrace.gateway.copy.deliveries;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of the deliveries.
 *
 * @param kept which of them
 */
record StoredDeliveries(LocalDatabase database, Kept kept) {
    private static final Comparator<DeliveryCursor> NEWEST_FIRST = Comparator.comparingLong(DeliveryCursor::occurredAt)
            .thenComparing(at -> at.id().report())
            .thenComparingInt(at -> at.id().sequence())
            .reversed();

    /**
     * The deliveries that are kept at a moment. A day is a number of days since 1970, in UTC.
     *
     * @param since epoch milliseconds; older ones are not told of
     * @param stored the oldest day that has rows: an hour more, so that clocks can be set back by as much
     * @param last the last day that an event can have: its writer's clock may be ahead
     */
    record Kept(long since, int stored, int last) {
        private static final Duration MARGIN = Duration.ofHours(1);
        /** A clock that is before it is wrong: this code is newer. */
        private static final Instant LEAST = Instant.parse("2026-01-01T00:00:00Z");

        static boolean plausible(Instant now) {
            return !now.isBefore(LEAST);
        }

        static Kept at(Instant now, Duration keep) {
            Instant since = now.minus(keep);
            return new Kept(since.toEpochMilli(), day(since.minus(MARGIN).toEpochMilli()), day(now.toEpochMilli()) + 1);
        }

        /** The oldest day of which something is told. */
        int first() {
            return day(since);
        }

        /** The day, or the nearest one of those that can have rows. */
        int near(long time) {
            return Math.clamp(day(time), stored, last);
        }

        boolean has(int day) {
            return day >= stored && day <= last;
        }
    }

    /** The day of a time; far ones are one day. */
    static int day(long time) {
        return Math.clamp(Math.floorDiv(time, 86_400_000L), -1, 0xffff);
    }

    // Keys

    /** The key of a row that says on which day the deliveries begin. */
    static RowKey beginKey() {
        return RowKey.in(DeliveryTable.META).text("begin");
    }

    static RowKey deliveryKey(String accountId, DeliveryCursor at) {
        return at(at, deliveries(day(at.occurredAt()), accountId));
    }

    static RowKey timeKey(int day, String accountId, DeliveryId id) {
        return times(day, accountId, id.report()).number(id.sequence());
    }

    static RowKey statusKey(String accountId, DeliveryStatus status, DeliveryCursor at) {
        return at(at, statuses(day(at.occurredAt()), accountId, null, status));
    }

    static RowKey endpointStatusKey(String accountId, String endpoint, DeliveryStatus status, DeliveryCursor at) {
        return at(at, statuses(day(at.occurredAt()), accountId, endpoint, status));
    }

    static RowKey endpointKey(int day, String accountId, String origin) {
        return endpoints(day, accountId).last(origin);
    }

    static RowKey earlyKey(int day, String accountId, DeliveryId id) {
        return RowKey.in(DeliveryTable.EARLY)
                .day(day)
                .text(accountId)
                .report(id.report())
                .number(id.sequence());
    }

    static RowKey erasedKey(UUID report) {
        return RowKey.in(DeliveryTable.ERASED).report(report);
    }

    /** The report of a key. */
    static UUID erased(byte[] key) {
        ByteBuffer in = ByteBuffer.wrap(key).position(1);
        return new UUID(in.getLong(), in.getLong());
    }

    static RowKey deliveries(int day, String accountId) {
        return RowKey.in(DeliveryTable.DELIVERIES).day(day).text(accountId);
    }

    /** @param endpoint null for all */
    static RowKey statuses(int day, String accountId, @Nullable String endpoint, DeliveryStatus status) {
        RowKey key = endpoint == null
                ? RowKey.in(DeliveryTable.STATUSES).day(day).text(accountId)
                : RowKey.in(DeliveryTable.ENDPOINT_STATUSES)
                        .day(day)
                        .text(accountId)
                        .text(endpoint);
        return key.number(status.code());
    }

    private static RowKey times(int day, String accountId, UUID report) {
        return RowKey.in(DeliveryTable.TIMES).day(day).text(accountId).report(report);
    }

    private static RowKey endpoints(int day, String accountId) {
        return RowKey.in(DeliveryTable.ENDPOINTS).day(day).text(accountId);
    }

    /** Adds a place among an account's deliveries. */
    static RowKey at(DeliveryCursor place, RowKey key) {
        return key.number(place.occurredAt())
                .report(place.id().report())
                .number(place.id().sequence());
    }

    /** The place that a key ends with. */
    static DeliveryCursor place(byte[] key) {
        ByteBuffer in = ByteBuffer.wrap(key).position(key.length - DeliveryCursor.BYTES);
        return new DeliveryCursor(in.getLong(), new DeliveryId(new UUID(in.getLong(), in.getLong()), in.getInt()));
    }

    static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] row) {
        return ByteBuffer.wrap(row).getLong();
    }

    static String date(int day) {
        return LocalDate.ofEpochDay(day).toString();
    }

    // Questions

    Optional<DeliveryView> find(String accountId, DeliveryId id) {
        for (int day = kept.last(); day >= kept.first(); day--) {
            byte[] time = database.get(timeKey(day, accountId, id));
            if (time != null) {
                var at = new DeliveryCursor(number(time), id);
                return Optional.ofNullable(at.occurredAt() < kept.since() ? null : delivery(accountId, at));
            }
        }
        return Optional.empty();
    }

    @Nullable
    DeliveryView delivery(String accountId, DeliveryCursor place) {
        byte[] row = database.get(deliveryKey(accountId, place));
        return row == null ? null : DeliveryEntry.of(row).view(place);
    }

    /** The deliveries of a report, which are few: newest first, after the cursor or from the newest. */
    List<DeliveryView> of(String accountId, UUID report, @Nullable DeliveryCursor after) {
        List<DeliveryCursor> places = new ArrayList<>();
        for (int day = kept.last(); day >= kept.first(); day--) {
            database.each(times(day, accountId, report), (key, time) -> {
                int sequence = ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES);
                places.add(new DeliveryCursor(number(time), new DeliveryId(report, sequence)));
            });
        }
        return places.stream()
                .filter(at -> at.occurredAt() >= kept.since())
                .filter(at -> after == null || NEWEST_FIRST.compare(at, after) > 0)
                .sorted(NEWEST_FIRST)
                .flatMap(at -> Optional.ofNullable(delivery(accountId, at)).stream())
                .toList();
    }

    /**
     * What the deliveries of the account's endpoints add up to, by origin and in the order of these.
     *
     * @param after the origin that they come after, or null
     */
    NavigableMap<String, EndpointTotals> endpoints(String accountId, @Nullable String after, int most) {
        NavigableMap<String, EndpointTotals> found = new TreeMap<>();
        List<OpenDay> days = new ArrayList<>();
        try {
            for (int day = kept.first(); day <= kept.last(); day++) {
                RowKey prefix = endpoints(day, accountId);
                int length = prefix.bytes().length;
                RowKey first = after == null ? endpoints(day, accountId) : endpointKey(day, accountId, after);
                days.add(new OpenDay(day, length, database.from(first, prefix)));
            }
            for (String next = leastOrigin(days); next != null && found.size() < most; next = leastOrigin(days)) {
                EndpointTotals totals = EndpointTotals.NONE;
                for (OpenDay day : days) {
                    if (next.equals(day.origin())) {
                        totals = totals.plus(ofDay(day, accountId, next, totals));
                        day.rows().next();
                    }
                }
                if (!next.equals(after)) {
                    found.put(next, totals);
                }
            }
            return found;
        } finally {
            days.forEach(day -> day.rows().close());
        }
    }

    /** The rows of one day that are left. */
    private record OpenDay(int day, int prefix, Rows rows) {
        @Nullable
        String origin() {
            if (!rows.present()) {
                return null;
            }
            byte[] key = rows.key();
            return new String(key, prefix, key.length - prefix, StandardCharsets.UTF_8);
        }
    }

    private static @Nullable String leastOrigin(List<OpenDay> days) {
        return days.stream()
                .flatMap(day -> Optional.ofNullable(day.origin()).stream())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private EndpointTotals ofDay(OpenDay day, String accountId, String origin, EndpointTotals earlier) {
        EndpointTotals totals = EndpointTotals.of(day.rows().value());
        if (totals.waiting() == 0 || earlier.oldestWaiting() != Long.MAX_VALUE) {
            return totals;
        }
        String endpoint = WebhookEndpoint.id(accountId + "|" + origin);
        long oldest = Long.MAX_VALUE;
        for (DeliveryStatus status : DeliveryStatus.values()) {
            if (status.isOpen()) {
                try (Rows rows = database.all(statuses(day.day(), accountId, endpoint, status))) {
                    oldest = rows.present() ? Math.min(oldest, place(rows.key()).occurredAt()) : oldest;
                }
            }
        }
        return totals.withOldestWaiting(oldest);
    }

    /** {@link WebhookEndpoint#key()} of the account's endpoint with the id. */
    Optional<String> keyOf(String accountId, String endpoint) {
        for (int day = kept.last(); day >= kept.first(); day--) {
            RowKey all = RowKey.in(DeliveryTable.ENDPOINT_STATUSES)
                    .day(day)
                    .text(accountId)
                    .text(endpoint);
            try (Rows rows = database.all(all)) {
                byte[] row = rows.present() ? database.get(deliveryKey(accountId, place(rows.key()))) : null;
                if (row != null) {
                    return Optional.of(
                            WebhookEndpoint.of(accountId, DeliveryEntry.of(row).url())
                                    .key());
                }
            }
        }
        return Optional.empty();
    }
}
