package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FeedReaderTest {
    private static final InstantSource CLOCK = InstantSource.fixed(SampleHistory.NOW);
    private static final String ACCOUNT = "acme";

    /** Whatever is folded between two pages, and at whatever event the client connects again. */
    @Property(tries = 15)
    void findsEachEventOnceAndInOrder(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps) {
        var random = new Random(seed);
        var history = new SampleHistory(seed, steps, random.nextBoolean() ? KeptDays.EVENTS : 3);
        if (random.nextBoolean()) {
            history.retained();
        }
        Map<TopicPartition, List<Long>> found = new HashMap<>();
        try (var folded = new FoldedHistory(history, CLOCK)) {
            ActivityStore store = folded.store();
            folded.complete();
            var positions = new Positions(store.end().topics(), history.first());
            boolean rest = true;
            for (boolean more = true; rest || more; ) {
                rest = rest && (random.nextInt(4) == 0 || folded.some(random));
                ActivityFeed.Events events = store.after(ACCOUNT, positions, 1 + random.nextInt(5));
                int all = events.events().size();
                int seen = random.nextInt(3) == 0 ? random.nextInt(all + 1) : all;
                for (ActivityEvent event : events.events().subList(0, seen)) {
                    found.computeIfAbsent(event.place().partition(), p -> new ArrayList<>())
                            .add(event.place().offset());
                    positions = positions.after(event);
                }
                positions = seen == all ? events.next() : positions;
                more = events.more() || seen < all;
            }
            store.close();
            try (LocalDatabase database = LocalDatabase.open(folded.files(), ActivityStore.BOUNDS)) {
                assertThat(found).isEqualTo(all(database));
            }
        }
    }

    /** By the keys of all rows alone. */
    private static Map<TopicPartition, List<Long>> all(LocalDatabase database) {
        var queries = new ActivityQueries(database, SampleHistory.KEPT);
        Map<TopicPartition, List<Long>> all = new HashMap<>();
        try (Rows rows = database.all(RowKey.in(Table.FEED))) {
            for (; rows.present(); rows.next()) {
                ByteBuffer key = ByteBuffer.wrap(rows.key()).position(1 + Short.BYTES);
                String account = RowKey.text(key);
                var partition = new TopicPartition(RowKey.text(key), key.getInt());
                var place = new ActivityEvent.Place(partition, key.getLong());
                boolean own = account.equals(ACCOUNT) || account.equals(ActivityListener.EVERYBODY);
                if (own && queries.event(place, account, rows.value()) != null) {
                    all.computeIfAbsent(partition, p -> new ArrayList<>()).add(place.offset());
                }
            }
        }
        return all;
    }

    /** A client that did not read for a month, of an account that has few events. */
    @Test
    void looksThroughADayOfAPartitionOnce() {
        var history = new SampleHistory(3, 300, KeptDays.EVENTS);
        try (var folded = new FoldedHistory(history, CLOCK)) {
            folded.all(new Random(1));
            Map<TopicPartition, FeedPartition> partitions = folded.store().partitions().entrySet().stream()
                    .filter(p -> Positions.TOPICS.stream()
                            .anyMatch(t -> t.name().equals(p.getKey().topic())))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            var first = new Positions(folded.store().end().topics(), history.first());
            folded.store().close();
            try (LocalDatabase database = LocalDatabase.open(folded.files(), ActivityStore.BOUNDS)) {
                Map<String, Integer> opened = new TreeMap<>();
                var reader = new FeedReader(
                        (from, prefix) -> {
                            opened.merge(HexFormat.of().formatHex(prefix.bytes()), 1, Integer::sum);
                            return database.from(from, prefix);
                        },
                        new ActivityQueries(database, SampleHistory.KEPT),
                        ACCOUNT,
                        partitions);
                int pages = 0;
                int events = 0;
                var positions = first;
                for (boolean more = true; more; pages++) {
                    ActivityFeed.Events page = reader.read(positions, 2);
                    events += page.events().size();
                    positions = page.next();
                    more = page.more();
                }
                assertThat(events).isGreaterThan(100);
                int calls = opened.values().stream().mapToInt(Integer::intValue).sum();
                // Again only where a page ended among the events of the day.
                assertThat(calls).isLessThanOrEqualTo(opened.size() + 9 * pages);
            }
        }
    }
}
