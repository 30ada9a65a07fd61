package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.RowKey;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However the records of different partitions interleave, and whenever the process is killed, the answers are the same. */
class ActivityFoldTest {
    private static final InstantSource CLOCK = InstantSource.fixed(SampleHistory.NOW);

    @Property(tries = 25)
    void neitherOrderNorKillsMatter(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps) {
        var random = new Random(seed);
        var history = new SampleHistory(seed, steps, random.nextBoolean() ? KeptDays.EVENTS : 100);
        if (random.nextBoolean()) {
            history.retained();
        }
        String inOrder;
        try (var folded = new FoldedHistory(history, CLOCK)) {
            folded.all(new Random(0));
            assertThat(folded.rebuilt()).isEqualTo("there is none");
            inOrder = folded.answers();
            agrees(history, folded.store());
        }
        try (var folded = new FoldedHistory(history, CLOCK)) {
            for (boolean more = true; more; ) {
                more = folded.some(random);
                if (random.nextInt(6) == 0) {
                    folded.kill();
                    assertThat(folded.rebuilt()).isNull();
                }
            }
            folded.all(random);
            assertThat(folded.answers()).isEqualTo(inOrder);
        }
    }

    /** In pages of any size, of any days. */
    private static void allTogetherSayWhatEachSays(SampleHistory history, ActivityStore store) {
        int today = SampleHistory.KEPT.today();
        for (int days : List.of(1, 7, 400)) {
            Map<String, UsedCredits> expected = new TreeMap<>();
            for (String account : SampleHistory.ACCOUNTS) {
                SampleHistory.of(history.usage, account).forEach((key, used) -> {
                    int space = key.indexOf(' ');
                    if (Integer.parseInt(key.substring(0, space)) > today - days) {
                        expected.merge(account + key.substring(space), used, UsedCredits::plus);
                    }
                });
            }
            for (int most : List.of(1, 2, 100)) {
                assertThat(usageOfAll(store, today - days + 1, today, most))
                        .as("%d days in pages of %d", days, most)
                        .isEqualTo(expected);
            }
        }
    }

    private static Map<String, UsedCredits> usageOfAll(ActivityStore store, int first, int last, int most) {
        Map<String, UsedCredits> found = new TreeMap<>();
        var after = new AtomicReference<ActivityQueries.@Nullable UsagePlace>();
        for (boolean more = true; more; ) {
            List<ActivityQueries.AccountUsage> page = store.ask(
                            queries -> queries.usageOfAll(first, last, after.get(), most))
                    .orElseThrow();
            page.forEach(u -> assertThat(found.put(u.accountId() + " " + u.dataset(), u.used()))
                    .as("comes once")
                    .isNull());
            more = page.size() == most;
            if (more) {
                after.set(page.getLast().place());
            }
        }
        return found;
    }

    /** What the store says is what the history has counted by itself. */
    private static void agrees(SampleHistory history, ActivityStore store) {
        allTogetherSayWhatEachSays(history, store);
        for (String account : SampleHistory.ACCOUNTS) {
            Map<String, UsedCredits> usage = new TreeMap<>();
            Map<String, UsedCredits> tagged = new TreeMap<>();
            Map<String, List<Long>> ended = new TreeMap<>();
            var unused = store.ask(queries -> {
                queries.usage(account, 0, 100_000).forEach(u -> usage.put(u.day() + " " + u.dataset(), u.used()));
                queries.statistics(account, 0, 100_000).forEach(s -> ended.put(s.day() + " " + s.dataset(), counts(s)));
                queries.tagUsage(
                        account,
                        "team",
                        0,
                        100_000,
                        u -> tagged.put(u.day() + " " + u.dataset() + " " + u.value(), u.used()));
                return usage;
            });
            assertThat(tagged).isEqualTo(SampleHistory.of(history.tagged, account));
            assertThat(usage).isEqualTo(SampleHistory.of(history.usage, account));
            Map<String, List<Long>> kept = new TreeMap<>(SampleHistory.of(history.ended, account));
            kept.keySet()
                    .removeIf(key ->
                            Integer.parseInt(key.substring(0, key.indexOf(' '))) < SampleHistory.KEPT.firstOfEvents());
            assertThat(ended).isEqualTo(kept);
        }
    }

    private static List<Long> counts(ActivityQueries.Statistics found) {
        EndedReports ended = found.ended();
        return List.of(ended.complete(), ended.failed(), ended.cancelled(), ended.rows(), ended.credits());
    }

    @Test
    void durationsAreThoseOfAttempts() {
        var history = new SampleHistory(7, 300, KeptDays.EVENTS);
        try (var folded = new FoldedHistory(history, CLOCK)) {
            folded.all(new Random(1));
            for (String account : SampleHistory.ACCOUNTS) {
                List<Long> exact = new ArrayList<>(SampleHistory.of(history.durations, account));
                Collections.sort(exact);
                Durations durations = folded.store()
                        .ask(queries -> queries.statistics(account, 0, 100_000).stream()
                                .map(ActivityQueries.Statistics::ended)
                                .reduce(EndedReports.NONE, EndedReports::plus)
                                .durations())
                        .orElseThrow();
                for (double part : List.of(0.5, 0.95, 1.0)) {
                    long expected = exact.get((int) Math.ceil(part * exact.size()) - 1);
                    assertThat((double) durations.quantile(part).orElseThrow())
                            .isBetween(expected * 0.968, expected * 1.032);
                }
            }
            assertThat(history.reports).anyMatch(r -> r.attempt() > 1 && r.result() != null);
        }
    }

    @Test
    void aFeedHasEveryEventOnceInTheOrderOfItsPartition() {
        var history = new SampleHistory(3, 400, KeptDays.EVENTS);
        try (var folded = new FoldedHistory(history, CLOCK)) {
            folded.all(new Random(2));
            for (int page : List.of(1, 5, 10_000)) {
                int events = 0;
                for (String account : SampleHistory.ACCOUNTS) {
                    List<ActivityEvent> feed = folded.feed(account, page);
                    events += feed.size();
                    assertThat(feed.stream().map(ActivityEvent::occurredAt)).isSorted();
                    assertThat(feed).extracting(e -> e.place().id()).doesNotHaveDuplicates();
                }
                int written = Positions.TOPICS.stream()
                        .flatMap(t -> history.topics.entrySet().stream()
                                .filter(e -> e.getKey().topic().equals(t.name())))
                        .mapToInt(e ->
                                e.getValue().size() * (ofEverybody(e.getKey()) ? SampleHistory.ACCOUNTS.size() : 1))
                        .sum();
                assertThat(events).isEqualTo(written);
            }
        }
    }

    private static boolean ofEverybody(TopicPartition partition) {
        return partition.topic().equals(Topics.DATASET_VERSIONS.name());
    }

    @Test
    void aLowBalanceIsToldWhenItIsCrossed() {
        var history = new SampleHistory(11, 600, KeptDays.EVENTS);
        try (var folded = new FoldedHistory(history, CLOCK)) {
            folded.all(new Random(3));
            int told = 0;
            for (String account : SampleHistory.ACCOUNTS) {
                long before = 0;
                for (ActivityEvent event : folded.feed(account, 100)) {
                    if (event instanceof ActivityEvent.Entered entered) {
                        LedgerEntry entry = entered.entry();
                        boolean crossed = before >= 100 && entry.remaining() < 100;
                        assertThat(entered.lowBelow()).isEqualTo(crossed ? 100L : null);
                        told += crossed ? 1 : 0;
                        before = entry.remaining();
                    }
                }
            }
            assertThat(told).isPositive();
        }
    }

    @Test
    void keysSortByTheirParts() {
        byte[] one = RowKey.in(Table.FEED).day(255).text("a").number(5L).bytes();
        byte[] two = RowKey.in(Table.FEED).day(256).text("a").number(4L).bytes();
        byte[] three =
                RowKey.in(Table.FEED).day(256).text("a").number(Long.MAX_VALUE).bytes();
        assertThat(java.util.Arrays.compareUnsigned(one, two)).isNegative();
        assertThat(java.util.Arrays.compareUnsigned(two, three)).isNegative();
        assertThat(KeptDays.day(Instant.parse("2026-11-22T23:59:59.999Z"))).isEqualTo(20_779);
    }
}
