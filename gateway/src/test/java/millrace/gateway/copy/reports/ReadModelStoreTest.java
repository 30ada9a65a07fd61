package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.StoreException;
import millrace.gateway.copy.database.StoreFiles;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows on the disk: what a gateway goes on from, and what it makes again. */
class ReadModelStoreTest {
    private static final String A = SampleRecords.ACCOUNT;
    private static final String TOPICS = "one{report-status=id/2}";
    private static final LocalDatabase.Bounds BOUNDS = new LocalDatabase.Bounds(1 << 20, 1 << 20, 64);

    private WrittenTopics topics = new WrittenTopics(new Random(1), 0.5);
    private Instant now = WrittenTopics.time();
    private int number;
    private ReadModel model;
    private ReadModelUpdater updater;
    private @Nullable String rebuilt;
    /** Where each partition is read on. */
    private final Map<TopicPartition, Long> next = new HashMap<>();

    @TempDir
    Path root;

    @BeforeEach
    void first() {
        begin(TOPICS);
    }

    @AfterEach
    void close() {
        model.close();
    }

    private Path folder() {
        return root.resolve(Integer.toString(number));
    }

    /** A process starts. */
    private void begin(String identity) {
        model = ReadModel.in(folder(), 1 << 20);
        updater = new ReadModelUpdater(
                model,
                new AlreadyFoldedCommands(),
                new CatalogAgreement(query -> Optional.empty(), InstantSource.system()));
        open(identity);
    }

    private void open(String identity) {
        try {
            CopiedTopics.Opened opened = model.open(topics.state(identity), now);
            rebuilt = opened.rebuilt();
            next.clear();
            next.putAll(topics.beginning());
            opened.positions().forEach((partition, position) -> next.put(partition, position.offset()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void restart(String identity) {
        model.close();
        begin(identity);
    }

    /** The process is gone, and another one has the files as the first one had written them until then. */
    private void kill() {
        Path killed = folder();
        number++;
        StoreFiles.copy(killed, folder());
        model.close();
        begin(TOPICS);
    }

    private void all(Random random) {
        while (some(random)) {
            // More is left.
        }
    }

    /** Folds one poll; returns false where nothing was left. */
    private boolean some(Random random) {
        List<TopicPartition> waiting = new ArrayList<>(
                topics.partitions().stream().filter(p -> !rest(p).isEmpty()).toList());
        if (waiting.isEmpty()) {
            return false;
        }
        List<ConsumerRecord<String, byte[]>> poll = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
        for (int taken = random.nextInt(3); taken >= 0 && !waiting.isEmpty(); taken--) {
            TopicPartition partition = waiting.remove(random.nextInt(waiting.size()));
            List<ConsumerRecord<String, byte[]>> rest = rest(partition);
            List<ConsumerRecord<String, byte[]>> polled = rest.subList(0, 1 + random.nextInt(Math.min(6, rest.size())));
            poll.addAll(polled);
            long after = polled.getLast().offset() + 1;
            next.put(partition, after);
            if (isCopied(partition)) {
                read.put(
                        partition, new OffsetAndMetadata(after, polled.getLast().leaderEpoch(), ""));
            }
        }
        updater.fold(poll, read, now);
        return true;
    }

    private static boolean isCopied(TopicPartition partition) {
        return CopiedTopics.isCopied(TopicState.TOPICS, partition);
    }

    private List<ConsumerRecord<String, byte[]>> rest(TopicPartition partition) {
        return topics.records.getOrDefault(partition, List.of()).stream()
                .filter(record -> record.offset() >= next.getOrDefault(partition, 0L))
                .toList();
    }

    // Going on

    /** Whenever it is killed, and however the topics interleave: the rows are those of one fold from the beginning. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void isAsFoldedFromTheBeginningAfterEveryKill(int seed) {
        var random = new Random(seed);
        topics = new WrittenTopics(random, 0.5);
        restart("other topics of this seed");
        all(new Random(0));
        String answers = answers();
        restart(TOPICS);
        assertThat(rebuilt).isEqualTo("it is of other topics");
        Map<UUID, Integer> sequences = new HashMap<>();
        // Commands that are not decided are read again after each kill, so they never come to an end.
        while (topics.partitions().stream().anyMatch(p -> isCopied(p) && !rest(p).isEmpty())) {
            boolean unused = some(random);
            agrees(sequences);
            kill();
            assertThat(rebuilt).isNull();
            agrees(sequences);
        }
        all(random);
        assertThat(answers()).isEqualTo(answers);
    }

    /** The records of a long poll are decoded on several threads, and change the rows in their order. */
    @Test
    void aLongPollIsAsShortOnes() {
        topics = new WrittenTopics(new Random(5), 0.5);
        restart("other topics of this seed");
        all(new Random(0));
        String answers = answers();
        restart(TOPICS);
        List<ConsumerRecord<String, byte[]>> rows = topics.partitions().stream()
                .filter(ReadModelStoreTest::isCopied)
                .flatMap(partition -> rest(partition).stream())
                .toList();
        List<ConsumerRecord<String, byte[]>> poll = new ArrayList<>();
        while (poll.size() < ReadModelUpdater.MANY_RECORDS) {
            poll.addAll(rows); // again: what is older changes nothing
        }
        topics.partitions().stream()
                .filter(partition -> !isCopied(partition))
                .forEach(partition -> poll.addAll(rest(partition)));
        updater.fold(poll, Map.of(), now);
        assertThat(answers()).isEqualTo(answers);
    }

    /** Lookup, history, open reports and keys say the same, and no report goes back. */
    private void agrees(Map<UUID, Integer> sequences) {
        Map<UUID, Integer> listed = new TreeMap<>();
        for (ReportView report :
                model.history(A, null, filter(null, null), 1000).found()) {
            UUID id = report.cursor().reportId();
            assertThat(listed.put(id, report.sequence())).isNull();
            ReportView found = model.report(A, id).orElseThrow();
            assertThat(found.status()).isEqualTo(report.status());
            assertThat(found.decided()).isEqualTo(report.decided());
            if (report.sequence() > 0) {
                assertThat(sequences.merge(id, report.sequence(), Math::max)).isEqualTo(report.sequence());
            }
        }
        for (int n = 0; n < WrittenTopics.REPORTS; n++) {
            UUID id = SampleRecords.id(n);
            assertThat(model.report(A, id).isPresent()).isEqualTo(listed.containsKey(id));
        }
        var open = new TreeSet<UUID>();
        model.openReports(
                null, report -> assertThat(open.add(report.cursor().reportId())).isTrue());
        assertThat(model.open()).isEqualTo(open.size());
        assertThat(model.history(A, null, filter(Status.PROCESSING, null), 1000).found())
                .extracting(report -> report.cursor().reportId())
                .containsExactlyInAnyOrderElementsOf(open);
    }

    /** Where statuses say what is needed of requests, the requests need not be read, and change nothing where they are. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void isTheSameWithoutTheRequests(int seed) {
        String read = answersOf(new WrittenTopics(new Random(seed), 0));
        var some = new WrittenTopics(new Random(seed), 0.5);
        assertThat(answersOf(some)).isEqualTo(read);
        var unread = new WrittenTopics(new Random(seed), 1);
        assertThat(answersOf(unread)).isEqualTo(read);
        unread.leaveOutRequests();
        assertThat(answersOf(unread)).isEqualTo(read);
    }

    private String answersOf(WrittenTopics written) {
        topics = written;
        restart("other topics " + System.identityHashCode(written) + written.partitions());
        all(new Random(0));
        return answers().replaceAll("(Settled|Since)\\[[^]]*]", "written");
    }

    @Test
    void goesOnWhereItStopped() {
        var unused = some(new Random(1));
        Map<TopicPartition, Long> before = Map.copyOf(next);
        restart(TOPICS);
        assertThat(rebuilt).isNull();
        before.forEach((partition, offset) -> {
            if (isCopied(partition)) {
                assertThat(next).containsEntry(partition, offset);
            }
        });
    }

    // What it does not trust

    @Test
    void isMadeAgainInAnotherForm() {
        all(new Random(1));
        String answers = answers();
        model.close();
        try (LocalDatabase database = LocalDatabase.open(folder().resolve("store"), BOUNDS);
                RowBatch batch = database.batch()) {
            batch.put(RowKey.in(LocalStore.META).text("form"), new byte[] {'0'});
            database.write(batch);
        }
        begin(TOPICS);
        isMadeAgain("it has form 0, and this build reads " + ReportTable.FORM, answers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two{report-status=id/2}", "one{report-status=other/2}", "one{report-status=id/4}"})
    void isMadeAgainForAnotherClusterTopicOrNumberOfPartitions(String identity) {
        all(new Random(1));
        String answers = answers();
        restart(identity);
        isMadeAgain("it is of other topics", answers);
    }

    @Test
    void isMadeAgainWhereKafkaHasLessThanItHasRead() {
        all(new Random(1));
        topics.records.values().forEach(List::removeLast);
        restart(TOPICS);
        assertThat(rebuilt).contains("was read up to offset");
        assertThat(model.size()).isZero();
    }

    /** As where Kafka was restored to an earlier moment, and has gone on from there. */
    @Test
    void isMadeAgainWhereKafkaDoesNotKnowTheLeaderEpoch() {
        all(new Random(1));
        String answers = answers();
        topics.epoch--;
        restart(TOPICS);
        assertThat(rebuilt).endsWith(" was read in leader epoch 4, and its newest is 3");
        all(new Random(2));
        assertThat(answers()).isEqualTo(answers);
    }

    @ParameterizedTest
    @CsvSource({
        "P6DT22H, ",
        "P6DT23H, it was written last at 2026-11-03T12:00:00Z",
        "P400D, it was written last at 2026-11-03T12:00:00Z",
        "-PT59M, ",
        "-PT2H, it was written at 2026-11-03T12:00:00Z"
    })
    void isMadeAgainWhereItMayHaveMissedTombstones(Duration later, @Nullable String why) {
        all(new Random(1));
        String answers = answers();
        now = now.plus(later);
        restart(TOPICS);
        if (why == null) {
            assertThat(rebuilt).isNull();
            all(new Random(2));
            assertThat(answers()).isEqualTo(answers);
        } else {
            assertThat(rebuilt).startsWith(why);
            all(new Random(2));
            assertThat(answers()).isEqualTo(answers);
        }
    }

    /** As where the consumer goes back to where the log has diverged. */
    @Test
    void isMadeAgainWhereItIsNotToBeTrusted() {
        all(new Random(1));
        String answers = answers();
        StoreException thrown = model.store().distrust("report-status-0 went back");
        assertThatThrownBy(() -> model.report(SampleRecords.id(0))).isSameAs(thrown);
        open(TOPICS);
        isMadeAgain("report-status-0 went back", answers);
    }

    private void isMadeAgain(String why, String answers) {
        assertThat(rebuilt).isEqualTo(why);
        all(new Random(2));
        assertThat(answers()).isEqualTo(answers);
    }

    @Test
    void belongsToOneProcess() {
        assertThatThrownBy(() -> ReadModel.in(folder(), 1 << 20))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("gateway.read-model.directory: ")
                .hasMessageEndingWith("is used by another process; each gateway needs a folder of its own");
    }

    /** While rows cannot be read, there is no answer, rather than that there is nothing. */
    @Test
    void answersNothingWithoutItsRows() {
        all(new Random(1));
        model.close();
        assertThatThrownBy(() -> model.report(SampleRecords.id(0))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> model.history(A, null, filter(null, null), 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> model.standing(A, reservation(0), List.of())).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> updater.fold(List.of(), Map.of(), now)).isInstanceOf(StoreException.class);
    }

    /** An acknowledged command is not read again, and so must not be lost while the rows are opened again. */
    @Test
    void keepsWhatWasAcknowledgedHereWhileRowsAreOpenedAgain() {
        all(new Random(1));
        long open = model.open();
        int fresh = WrittenTopics.REPORTS;
        model.store().distrust("for this test");
        model.command(A, SampleRecords.request(fresh, SampleRecords.key("fresh")), 0, 1000);
        open(TOPICS);
        all(new Random(2));
        assertThat(model.report(A, SampleRecords.id(fresh)).orElseThrow().word())
                .isEqualTo(Status.PROCESSING);
        assertThat(model.open()).isEqualTo(open + 1);
    }

    @Test
    void answersFromMemoryWhatIsThere() {
        int many = 500; // so that their rows are in several blocks
        model.fold(
                changes -> IntStream.range(0, many)
                        .mapToObj(n -> SampleRecords.complete(n, 1, 2))
                        .forEach(status -> changes.status(status, null, Topics.REPORT_STATUS.encode(status))),
                Map.of(),
                now);
        UUID id = SampleRecords.id(many / 2);
        assertThat(model.cached(A, id).orElseThrow().status()).isEqualTo(SampleRecords.complete(many / 2, 1, 2));
        assertThat(model.cached("other", id)).isEmpty();
        restart(TOPICS); // writes what was in memory to files
        assertThat(model.cached(A, id)).isEmpty();
        assertThat(model.report(A, id)).isPresent();
        assertThat(model.cached(A, id)).isPresent();
    }

    @Test
    void findsReportsByNameTagAndTime() {
        write(
                SampleRecords.tagged(1, "Weekly audience", Map.of("team", "seo", "client", "a")),
                SampleRecords.tagged(2, null, Map.of("team", "seo")),
                SampleRecords.tagged(3, "weekly", Map.of("team", "seo2")),
                SampleRecords.tagged(4, null, Map.of("client", "a")),
                SampleRecords.tagged(5, null, Map.of()));
        restart(TOPICS);
        assertThat(found(null, Map.of("team", "seo"), 0)).containsExactly(2, 1);
        assertThat(found(null, Map.of("team", "seo", "client", "a"), 0)).containsExactly(1);
        assertThat(found(null, Map.of("team", "se"), 0)).isEmpty();
        assertThat(found("weekly", Map.of(), 0)).containsExactly(3, 1);
        assertThat(found("audience", Map.of("team", "seo"), 0)).containsExactly(1);
        assertThat(found(null, Map.of(), SampleRecords.NOON.plusMillis(4).toEpochMilli()))
                .containsExactly(5, 4);

        HistoryCursor second =
                new HistoryCursor(SampleRecords.NOON.plusMillis(2).toEpochMilli(), SampleRecords.id(2));
        var seo = new HistoryFilter(null, null, null, null, null, Map.of("team", "seo"), 0);
        assertThat(model.history(A, second, seo, 10).found()).hasSize(1);

        write(SampleRecords.tagged(1, "Weekly audience", Map.of("team", "seo", "client", "a"))
                .failed(1, new ReportStatus.Failure(ErrorCode.CANCELLED, "cancelled", true), SampleRecords.NOON));
        assertThat(found(null, Map.of("team", "seo"), 0)).as("a later status").containsExactly(2, 1);
        model.fold(changes -> changes.forget(A, SampleRecords.id(1), false), Map.of(), now);
        assertThat(found(null, Map.of("team", "seo"), 0)).containsExactly(2);
        assertThat(found(null, Map.of("client", "a"), 0)).containsExactly(4);
    }

    @Test
    void countsTheTagsOfAnAccount() {
        write(IntStream.range(0, 40)
                .mapToObj(n -> SampleRecords.tagged(n, null, Map.of("team", "t" + n % 5, "name-" + n % 3, "x")))
                .toArray(ReportStatus[]::new));
        assertThat(model.tooManyTags(A, Map.of("team", "new"), 6, 4)).isEmpty();
        assertThat(model.tooManyTags(A, Map.of("team", "new"), 5, 5))
                .hasValue(
                        "tags.team: the reports of the account have 5 different values of it already; use one of them.");
        assertThat(model.tooManyTags(A, Map.of("team", "t4"), 5, 4)).isEmpty();
        assertThat(model.tooManyTags(A, Map.of("another", "x"), 5, 5)).isEmpty();
        assertThat(model.tooManyTags(A, Map.of("another", "x"), 5, 4))
                .hasValue("tags.another: the reports of the account have 4 tags of different names already; use one of"
                        + " them.");
        assertThat(model.tooManyTags("other", Map.of("another", "x"), 5, 4)).isEmpty();
    }

    private void write(ReportStatus... statuses) {
        model.fold(
                changes -> Arrays.stream(statuses)
                        .forEach(status -> changes.status(status, null, Topics.REPORT_STATUS.encode(status))),
                Map.of(),
                now);
    }

    /** The numbers of the reports. */
    private List<Integer> found(@Nullable String name, Map<String, String> tags, long since) {
        var filter = new HistoryFilter(null, null, null, null, name, tags, since);
        return model.history(A, null, filter, 10).found().stream()
                .map(report -> (int) (report.cursor().submittedAt() - SampleRecords.NOON.toEpochMilli()))
                .toList();
    }

    // Answers

    /** All answers, as text. */
    private String answers() {
        var text = new StringBuilder(
                "size " + model.size() + " open " + model.open() + " " + model.balance(A) + " " + model.remaining(A));
        for (Status status : new Status[] {Status.PROCESSING, Status.COMPLETE, Status.INTERNAL_ERROR}) {
            text.append('\n').append(status).append(ids(filter(status, null)));
            text.append(ids(filter(status, "demographics"))).append(ids(filter(status, "keywords")));
        }
        List<ReportView> pages = new ArrayList<>();
        HistoryCursor after = null;
        for (List<ReportView> page = page(after); !page.isEmpty(); page = page(after)) {
            pages.addAll(page);
            after = page.getLast().cursor();
        }
        assertThat(pages.stream().map(ReportView::cursor)).isEqualTo(ids(filter(null, null)));
        pages.forEach(report -> text.append('\n')
                .append(report.status())
                .append(report.request())
                .append(report.decided()));
        for (int n = 0; n < WrittenTopics.REPORTS; n++) {
            text.append('\n').append(model.standing(A, reservation(n), List.of()));
        }
        return text.toString();
    }

    private List<ReportView> page(@Nullable HistoryCursor after) {
        return model.history(A, after, filter(null, null), 3).found();
    }

    private List<HistoryCursor> ids(HistoryFilter filter) {
        return model.history(A, null, filter, 1000).found().stream()
                .map(ReportView::cursor)
                .toList();
    }

    private static Reservation reservation(int n) {
        return new Reservation(SampleRecords.id(n), 1, 1, WrittenTopics.key(n));
    }

    private static HistoryFilter filter(@Nullable Status status, @Nullable String dataset) {
        return new HistoryFilter(status, null, dataset, null);
    }
}
