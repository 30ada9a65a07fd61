package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopyReader;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActivityStoreTest {
    private final SampleHistory history = new SampleHistory(5, 200, KeptDays.EVENTS);
    private Instant now = SampleHistory.NOW;
    private final FoldedHistory folded = new FoldedHistory(history, () -> now);

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        folded.close();
    }

    // What makes it be built again

    @Test
    void goesOnWhereItStopped() {
        var random = new Random(1);
        do {
            folded.some(random);
        } while (folded.store().end().next().values().stream().allMatch(next -> next == 0));
        Positions before = folded.store().end();
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).isNull();
        assertThat(folded.store().end()).isEqualTo(before);
    }

    @Test
    void isBuiltAgainForOtherTopics() {
        folded.all(new Random(1));
        String answers = folded.answers();
        folded.restart("{report-events=two}");
        assertThat(folded.rebuilt()).isEqualTo("it is of other topics");
        folded.all(new Random(2));
        assertThat(folded.answers()).isEqualTo(answers);
    }

    /** With the epoch the consumer finds out where the log of another leader differs. */
    @Test
    void goesOnBehindTheLastRecordWithItsLeaderEpoch() {
        folded.all(new Random(1));
        history.epoch++;
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).isNull();
        history.topics.forEach((partition, records) -> {
            if (!records.isEmpty()) {
                assertThat(folded.positions().get(partition))
                        .isEqualTo(new OffsetAndMetadata(records.getLast().offset() + 1, Optional.of(4), ""));
            }
        });
    }

    @Test
    void isBuiltAgainWhereRecordsAreGoneThatItHasNotRead() {
        folded.some(new Random(1));
        history.topics.values().forEach(records -> {
            if (records.size() > 1) {
                records.subList(0, records.size() - 1).clear();
            }
        });
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).contains("was read up to offset");
        folded.all(new Random(2));
        assertThat(folded.store().unavailable()).isEmpty();
    }

    /** What it has read is too old by now, and with it the markers of transactions that followed. */
    @Test
    void goesOnWhereAllThatItHasReadIsGone() {
        folded.all(new Random(1));
        TopicPartition partition = history.topics.keySet().stream()
                .filter(p -> p.topic().equals(Topics.WEBHOOK_ATTEMPTS.name()))
                .findFirst()
                .orElseThrow();
        long end = history.ends().getOrDefault(partition, 0L);
        history.expire(partition);
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).isNull();
        assertThat(folded.positions()).containsEntry(partition, new OffsetAndMetadata(end));
    }

    @Test
    void isBuiltAgainWithoutAFile() throws IOException {
        folded.all(new Random(1));
        String answers = folded.answers();
        folded.restart(FoldedHistory.TOPICS); // writes a file of rows
        folded.store().close();
        Files.delete(any(".sst"));
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).isNotNull();
        folded.all(new Random(2));
        assertThat(folded.answers()).isEqualTo(answers);
    }

    @Test
    void isBuiltAgainFromADamagedManifest() throws IOException {
        folded.all(new Random(1));
        folded.store().close();
        Files.write(any("MANIFEST"), new byte[] {1, 2, 3});
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).isNotNull();
    }

    /** Opening it does not find damage within a file. */
    @Test
    void isBuiltAgainWhereAQuestionMeetsDamage() throws IOException {
        folded.all(new Random(1));
        String answers = folded.answers();
        folded.restart(FoldedHistory.TOPICS);
        folded.store().close();
        Path rows = any(".sst");
        try (var file = new RandomAccessFile(rows.toFile(), "rw")) {
            // The blocks of rows come first, and all but the first are read by questions alone.
            file.seek(file.length() / 3);
            file.write(new byte[(int) file.length() / 10]);
        }
        folded.restart(FoldedHistory.TOPICS);
        folded.complete();
        var asked = folded.store().ask(queries -> SampleHistory.ACCOUNTS.stream()
                .map(a -> queries.entries(a, Instant.MIN, Instant.MAX, null, 10_000)
                                .size()
                        + history.reports.stream()
                                .mapToInt(r -> queries.timeline(a, r.reportId()).size())
                                .sum())
                .toList());
        assertThat(asked).isEmpty();
        assertThat(folded.store().unavailable()).isPresent();
        assertThatThrownBy(() -> folded.some(new Random(2))).isInstanceOf(StoreException.class);
        folded.reopen();
        assertThat(folded.rebuilt()).isNotNull();
        folded.all(new Random(3));
        assertThat(folded.answers()).isEqualTo(answers);
    }

    /** It has deleted what is to be kept, and skipped what it read meanwhile. */
    @Test
    void isBuiltAgainWhereTheClockWasFarAhead() {
        folded.all(new Random(1));
        String answers = folded.answers();
        for (boolean restarted : List.of(true, false)) {
            now = SampleHistory.NOW.plus(Duration.ofDays(500));
            folded.all(new Random(1));
            assertThat(usage()).isZero();
            now = SampleHistory.NOW;
            if (restarted) {
                folded.restart(FoldedHistory.TOPICS);
            } else {
                assertThatThrownBy(() -> folded.some(new Random(1))).isInstanceOf(StoreException.class);
                assertThat(folded.store().unavailable()).isPresent();
                folded.reopen();
            }
            assertThat(folded.rebuilt()).isEqualTo("this gateway's clock was ahead, at 2028-04-05");
            folded.all(new Random(2));
            assertThat(folded.answers()).isEqualTo(answers);
        }
    }

    @Test
    void isNotBuiltAgainWhereTheClockGoesBackALittle() {
        folded.all(new Random(1));
        now = now.plus(Duration.ofDays(1));
        folded.all(new Random(1));
        now = SampleHistory.NOW;
        folded.all(new Random(1));
        folded.restart(FoldedHistory.TOPICS);
        assertThat(folded.rebuilt()).isNull();
        folded.all(new Random(1));
        assertThat(usage()).isEqualTo(SampleHistory.of(history.usage, "acme").size());
    }

    /** Of a machine whose clock is not set yet: nothing is skipped, and nothing deleted. */
    @Test
    void waitsForAClock() {
        folded.some(new Random(1));
        now = Instant.EPOCH.plusSeconds(60);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> folded.some(new Random(2)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.damaged()).isFalse())
                    .hasMessage("this gateway's clock is wrong: 1970-01-01");
            assertThatThrownBy(folded::reopen).hasMessage("this gateway's clock is wrong: 1970-01-01");
        }
        now = SampleHistory.NOW;
        folded.reopen();
        assertThat(folded.rebuilt()).isNull();
        folded.all(new Random(3));
        assertThat(usage()).isEqualTo(SampleHistory.of(history.usage, "acme").size());
    }

    @Test
    void belongsToOneProcess() {
        ActivityStore one = ActivityStore.in(folder, InstantSource.system());
        assertThatThrownBy(() -> ActivityStore.in(folder, InstantSource.system()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("gateway.activity.directory: ")
                .hasMessageEndingWith("is used by another process; each gateway needs a folder of its own");
        one.close();
        ActivityStore.in(folder, InstantSource.system()).close();
        assertThatThrownBy(() -> ActivityStore.in(
                        Files.writeString(folder.resolve("file"), "").resolve("below"), InstantSource.system()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("cannot be written");
    }

    // What it says of itself

    @Test
    void saysHowFarItIs() {
        assertThat(folded.store().unavailable())
                .contains("This gateway is still reading what happened to the accounts: 0 % are read; try again.");
        folded.store().progressed(new CopyReader.Progress(true, 437, 563, 0));
        assertThat(folded.store().unavailable().orElseThrow()).contains(" 43 % are read");
        assertThat(folded.store().ask(queries -> 1)).isEmpty();
        assertThat(folded.store().after("acme", folded.store().end(), 10).events())
                .isEmpty();
        folded.complete();
        assertThat(folded.store().unavailable()).isEmpty();
        assertThat(folded.store().ask(queries -> 1)).contains(1);
    }

    @Test
    void tellsListenersWhatIsNewOnceItIsComplete() {
        Set<String> told = new HashSet<>();
        List<String> completed = new ArrayList<>();
        folded.store().listen(new ActivityListener() {
            @Override
            public void recorded(Set<String> accountIds) {
                told.addAll(accountIds);
            }

            @Override
            public void complete() {
                completed.add("complete");
            }
        });
        folded.some(new Random(1));
        assertThat(told).isEmpty();
        folded.complete();
        assertThat(completed).hasSize(1);
        Positions before = folded.store().end();
        folded.all(new Random(1));
        assertThat(completed).hasSize(1);
        assertThat(told)
                .containsAll(SampleHistory.ACCOUNTS)
                .contains(ActivityListener.EVERYBODY)
                .hasSize(SampleHistory.ACCOUNTS.size() + 1);
        for (String account : SampleHistory.ACCOUNTS) {
            assertThat(folded.store().after(account, before, 10_000).events()).isNotEmpty();
        }
    }

    @Test
    void aListenerThatFailsKeepsNothingFromTheOthers() {
        List<String> told = new ArrayList<>();
        for (boolean fails : List.of(true, false)) {
            folded.store().listen(new ActivityListener() {
                @Override
                public void recorded(Set<String> accountIds) {
                    hear("recorded");
                }

                @Override
                public void complete() {
                    hear("complete");
                }

                private void hear(String what) {
                    if (fails) {
                        throw new IllegalStateException("a listener that fails");
                    }
                    told.add(what);
                }
            });
        }
        folded.complete();
        assertThat(told).containsExactly("complete");
        folded.all(new Random(1));
        assertThat(told).contains("recorded");
        assertThat(folded.store().unavailable()).isEmpty();
        assertThat(usage()).isEqualTo(SampleHistory.of(history.usage, "acme").size());
    }

    // What is kept

    @Test
    void forgetsDaysThatTheTopicsHaveNotWhole() {
        folded.all(new Random(1));
        Positions first = new Positions(folded.store().end().topics(), history.first());
        Positions end = folded.store().end();
        assertThat(folded.store().lost(first)).isEmpty();
        int all = events();
        assertThat(all).isPositive();

        now = now.plus(Duration.ofDays(10));
        folded.all(new Random(1));
        assertThat(events()).isPositive().isLessThan(all);
        assertThat(statisticsDays())
                .isNotEmpty()
                .allMatch(day -> day >= KeptDays.at(now).firstOfEvents());
        assertThat(folded.store().lost(first))
                .hasValueSatisfying(why -> assertThat(why).contains("30 days"));
        assertThat(folded.store().lost(end)).isEmpty();
        assertThat(usage()).isEqualTo(SampleHistory.of(history.usage, "acme").size());

        now = now.plus(Duration.ofDays(21));
        folded.all(new Random(1));
        assertThat(events()).isZero();
        assertThat(statisticsDays()).isEmpty();
        assertThat(folded.store().lost(end)).isEmpty();
        assertThat(usage()).isEqualTo(SampleHistory.of(history.usage, "acme").size());
        folded.restart(FoldedHistory.TOPICS);
        folded.all(new Random(1));
        assertThat(folded.store().lost(first)).isPresent();
        assertThat(folded.store().lost(end)).isEmpty();

        now = now.plus(Duration.ofDays(KeptDays.LEDGER));
        folded.all(new Random(1));
        assertThat(usage()).isZero();
        assertThat(rows(Table.LEDGER) + rows(Table.FEED) + rows(Table.TIMELINE) + rows(Table.STATISTICS))
                .isZero();
        assertThat(rows(Table.ACCOUNTS)).isEqualTo(2);
    }

    @Test
    void aPositionOfOtherTopicsIsLost() {
        folded.all(new Random(1));
        Positions end = folded.store().end();
        assertThat(folded.store().lost(new Positions(end.topics() + 1, end.next())))
                .hasValueSatisfying(why -> assertThat(why).contains("other topics"));
    }

    /** Another gateway is further: what it has told already is not told again here. */
    @Test
    void aPositionMayBeAhead() {
        folded.some(new Random(4));
        folded.complete();
        Map<TopicPartition, Long> ahead = new HashMap<>();
        folded.store()
                .end()
                .next()
                .forEach((p, next) -> ahead.put(p, history.ends().getOrDefault(p, 0L)));
        var positions = new Positions(folded.store().end().topics(), ahead);
        folded.store().askEnds(partitions -> CompletableFuture.completedFuture(positions.next()));
        assertThat(folded.store().lost(positions)).isEmpty();
        folded.all(new Random(5));
        for (String account : SampleHistory.ACCOUNTS) {
            ActivityFeed.Events events = folded.store().after(account, positions, 10);
            assertThat(events.events()).isEmpty();
            assertThat(events.next()).isEqualTo(positions);
        }
    }

    /** Kafka lost its last records, or is a copy of yesterday: others will have these offsets. */
    @Test
    void aPositionBeyondTheEndIsLost() {
        folded.all(new Random(1));
        Positions end = folded.store().end();
        TopicPartition one = end.next().keySet().iterator().next();
        Map<TopicPartition, Long> ahead = new HashMap<>(end.next());
        ahead.merge(one, 5L, Long::sum);
        var positions = new Positions(end.topics(), ahead);
        folded.store().askEnds(partitions -> {
            assertThat(partitions).as("Kafka is asked about what is ahead").containsExactly(one);
            return CompletableFuture.completedFuture(Map.of(one, end.of(one) + 4));
        });
        assertThat(folded.store().lost(positions))
                .hasValueSatisfying(why -> assertThat(why).contains("beyond what Kafka has"));
        assertThat(folded.store().lost(end)).isEmpty();
        folded.store()
                .askEnds(partitions -> CompletableFuture.failedFuture(new TimeoutException("Kafka does not answer")));
        assertThat(folded.store().lost(positions)).as("it is not known").isEmpty();
    }

    private int events() {
        return folded.feed("acme", 50).size();
    }

    private int usage() {
        return folded.store()
                .ask(queries -> queries.usage("acme", 0, 100_000).size())
                .orElseThrow();
    }

    private List<Integer> statisticsDays() {
        return folded.store()
                .ask(queries -> queries.statistics("acme", 0, 100_000).stream()
                        .map(ActivityQueries.Statistics::day)
                        .toList())
                .orElseThrow();
    }

    private int rows(Table table) {
        folded.store().close();
        try (LocalDatabase database = LocalDatabase.open(folded.files(), ActivityStore.BOUNDS);
                var rows = database.all(RowKey.in(table))) {
            int count = 0;
            for (; rows.present(); rows.next()) {
                count++;
            }
            return count;
        }
    }

    private Path any(String name) throws IOException {
        try (Stream<Path> files = Files.list(folded.files())) {
            return files.filter(f -> f.getFileName().toString().contains(name))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
