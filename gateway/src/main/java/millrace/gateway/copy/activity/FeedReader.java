package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiFunction;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads an account's events after given positions: day after day, the partitions merged by time.
 * Positions move past the days of a partition without events, too, so that they are looked through
 * once and not for each page.
 */
final class FeedReader {
    private final BiFunction<RowKey, RowKey, Rows> database;
    private final ActivityQueries queries;
    private final String accountId;
    private final Map<TopicPartition, FeedPartition> partitions;

    /**
     * @param database {@link millrace.gateway.copy.database.LocalDatabase#from}
     * @param partitions those of the feed; what is recorded later may be found, too
     */
    FeedReader(
            BiFunction<RowKey, RowKey, Rows> database,
            ActivityQueries queries,
            String accountId,
            Map<TopicPartition, FeedPartition> partitions) {
        this.database = database;
        this.queries = queries;
        this.accountId = accountId;
        this.partitions = partitions;
    }

    ActivityFeed.Events read(Positions positions, int most) {
        Map<TopicPartition, Integer> firstDays = new HashMap<>();
        partitions.forEach((partition, read) -> {
            if (positions.of(partition) < read.end()) {
                firstDays.put(partition, read.dayOf(positions.of(partition)));
            }
        });
        List<ActivityEvent> events = new ArrayList<>();
        Map<TopicPartition, Long> next = new HashMap<>(positions.next());
        int last =
                partitions.values().stream().mapToInt(FeedPartition::day).max().orElse(0);
        int first =
                firstDays.values().stream().mapToInt(Integer::intValue).min().orElse(last + 1);
        for (int day = first; day <= last; day++) {
            if (!readDay(day, firstDays, next, events, most)) {
                return new ActivityFeed.Events(events, new Positions(positions.topics(), next), true);
            }
        }
        partitions.forEach((partition, read) -> next.merge(partition, read.next(), Math::max));
        return new ActivityFeed.Events(events, new Positions(positions.topics(), next), false);
    }

    /** Returns false where it stopped because there were enough. */
    private boolean readDay(
            int day,
            Map<TopicPartition, Integer> firstDays,
            Map<TopicPartition, Long> next,
            List<ActivityEvent> events,
            int most) {
        List<PartitionRows> opened = new ArrayList<>();
        try {
            var heads = new PriorityQueue<PartitionRows>(PartitionRows.OLDEST_FIRST);
            firstDays.forEach((partition, first) -> {
                if (first <= day && day <= read(partition).day()) {
                    RowKey all = ActivityFold.feedKey(day, accountId, partition);
                    RowKey from = ActivityFold.feedKey(day, accountId, partition)
                            .number((long) next.getOrDefault(partition, 0L));
                    var rows = new PartitionRows(partition, database.apply(from, all));
                    opened.add(rows);
                    if (rows.read()) {
                        heads.add(rows);
                    } else {
                        next.merge(partition, read(partition).after(day), Math::max);
                    }
                }
            });
            for (PartitionRows head = heads.poll(); head != null; head = heads.poll()) {
                if (events.size() == most) {
                    return false;
                }
                ActivityEvent event = queries.event(head.place(), accountId, head.row());
                if (event != null) {
                    events.add(event);
                }
                next.put(head.partition, head.place().offset() + 1);
                if (head.readNext()) {
                    heads.add(head);
                } else {
                    next.merge(head.partition, read(head.partition).after(day), Math::max);
                }
            }
            return true;
        } finally {
            opened.forEach(PartitionRows::close);
        }
    }

    private FeedPartition read(TopicPartition partition) {
        return partitions.getOrDefault(partition, FeedPartition.startingAt(0));
    }

    /** The rows of one partition and day. */
    private static final class PartitionRows implements AutoCloseable {
        static final Comparator<PartitionRows> OLDEST_FIRST = Comparator.comparingLong(PartitionRows::timestamp)
                .thenComparing(rows -> rows.partition.topic())
                .thenComparingInt(rows -> rows.partition.partition());

        private final TopicPartition partition;
        private final Rows rows;
        private byte[] row = new byte[0];
        private long offset;
        private long timestamp;

        PartitionRows(TopicPartition partition, Rows rows) {
            this.partition = partition;
            this.rows = rows;
        }

        boolean read() {
            if (!rows.present()) {
                return false;
            }
            byte[] key = rows.key();
            row = rows.value();
            offset = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
            // A row's time is never before that of the one before it in its partition.
            timestamp = Math.max(timestamp, ByteBuffer.wrap(row).getLong());
            return true;
        }

        boolean readNext() {
            rows.next();
            return read();
        }

        long timestamp() {
            return timestamp;
        }

        byte[] row() {
            return row;
        }

        ActivityEvent.Place place() {
            return new ActivityEvent.Place(partition, offset);
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
