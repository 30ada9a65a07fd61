package millrace.processor.retention;

import static java.nio.charset.StandardCharsets.UTF_8;
import static millrace.processor.retention.SampleStatuses.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import millrace.contracts.reports.ReportStatus;
import millrace.files.disk.DiskReportStore;
import millrace.files.entities.EntityDictionary;
import millrace.files.store.ReportFileWriter;
import millrace.processor.warehouse.DataVersions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps a folder with a fake ledger. */
class SweepTest {
    private static final Duration AGE = Duration.ofHours(24);
    private static final UUID OPEN = new UUID(1, 1);
    private static final UUID DONE = new UUID(1, 2);
    private static final UUID EXPIRED = new UUID(1, 3);
    private static final UUID FAILED = new UUID(1, 4);
    private static final UUID UNKNOWN = new UUID(1, 5);
    private static final UUID IN_PARTS = new UUID(1, 6);
    private static final UUID EXPIRED_IN_PARTS = new UUID(1, 7);

    @TempDir
    private Path root;

    private DiskReportStore store;
    private final Map<UUID, ReportStatus> ledger = new HashMap<>();
    private final Map<String, List<String>> warehouse = new HashMap<>();
    private final DataVersions versions = new DataVersions() {
        @Override
        public Optional<String> current(String dataset) {
            return versions(dataset).stream().findFirst();
        }

        @Override
        public List<String> versions(String dataset) {
            return warehouse.getOrDefault(dataset, List.of());
        }
    };
    private LedgerMark mark = new LedgerMark("cluster-a", "topic-1", Map.of(0, new LedgerMark.Place(41, 1000)));

    @BeforeEach
    void reports() throws IOException {
        store = new DiskReportStore(root, false);
        ledger.put(OPEN, SampleStatuses.processing(OPEN));
        ledger.put(DONE, SampleStatuses.complete(DONE, DONE + "/2/report-a.csv", NOW));
        ledger.put(EXPIRED, SampleStatuses.complete(EXPIRED, EXPIRED + "/1/0-a", NOW.minus(AGE)));
        ledger.put(FAILED, SampleStatuses.failed(FAILED));
        ledger.put(IN_PARTS, SampleStatuses.inParts(IN_PARTS, IN_PARTS + "/2/manifest-a.json", NOW));
        ledger.put(
                EXPIRED_IN_PARTS,
                SampleStatuses.inParts(EXPIRED_IN_PARTS, EXPIRED_IN_PARTS + "/1/manifest-a.json", NOW.minus(AGE)));
    }

    @Test
    void onlyWhatAReportNeedsStays() throws IOException {
        List<String> kept = List.of(
                OPEN + "/1/0-a.csv",
                OPEN + "/1/0-second.csv",
                OPEN + "/2/0-a.csv",
                DONE + "/2/report-a.csv",
                IN_PARTS + "/2/manifest-a.json",
                IN_PARTS + "/2/part_1-a.csv",
                IN_PARTS + "/2/7-a.csv",
                "acme/" + OPEN + "/request",
                "acme/" + OPEN + "/filter-keyword",
                "acme/" + EXPIRED + "/request",
                "acme/" + FAILED + "/request",
                "somebody/elses");
        List<String> gone = List.of(
                DONE + "/2/report-lost.csv",
                DONE + "/2/0-a.csv",
                DONE + "/1/report-a.csv",
                EXPIRED + "/1/0-a",
                IN_PARTS + "/1/part_1-a.csv",
                IN_PARTS + "/20/part_1-a.csv",
                EXPIRED_IN_PARTS + "/1/manifest-a.json",
                EXPIRED_IN_PARTS + "/1/part_1-a.csv",
                FAILED + "/1/0-a.jsonl.gz",
                UNKNOWN + "/1/0-a.csv",
                "acme/" + UNKNOWN + "/request",
                "acme/" + UNKNOWN + "/filter-keyword");
        for (String name : kept) {
            write(name, NOW.minus(AGE).minusSeconds(1));
        }
        for (String name : gone) {
            write(name, NOW.minus(AGE).minusSeconds(1));
        }

        assertThat(sweep(100)).isEqualTo(new Sweep.Swept(gone.size(), 0));
        assertThat(files()).containsExactlyInAnyOrderElementsOf(kept);
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 0));
    }

    /** Whether or not it is current: who switches back needs it again. */
    @Test
    void theEntityDictionariesOfVersionsThatAreThereStay() throws IOException {
        warehouse.put("keywords", List.of("v2", "v1", "odd / version"));
        warehouse.put("demographics", List.of("v1"));
        List<String> kept = List.of(
                EntityDictionary.fileName("keywords", "v1"),
                EntityDictionary.fileName("keywords", "v2"),
                EntityDictionary.fileName("keywords", "odd / version"),
                EntityDictionary.fileName("demographics", "v1"));
        List<String> gone = List.of(
                EntityDictionary.fileName("keywords", "v0"),
                EntityDictionary.fileName("keywords", "other / version"),
                EntityDictionary.fileName("site_keywords", "v1"));
        String young = EntityDictionary.fileName("keywords", "v3");
        for (String name : Stream.concat(kept.stream(), gone.stream()).toList()) {
            write(name, NOW.minus(AGE).minusSeconds(1));
        }
        write(young, NOW.minus(AGE));
        // They belong to no report, so that they are no reason to refuse the store.
        assertThat(sweep(0)).isEqualTo(new Sweep.Swept(0, 0));
        assertThat(check(NOW)).isEqualTo(gone.size());
        assertThat(files())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(kept.stream(), Stream.of(young)).toList());
    }

    @Test
    void theEntityDictionariesOfAnotherKafkaStay() throws IOException {
        write(OPEN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        assertThat(sweep().files()).isZero();
        String name = EntityDictionary.fileName("keywords", "v0");
        write(name, NOW.minus(AGE).minusSeconds(1));
        mark = new LedgerMark("cluster-b", "topic-1", mark.places());
        assertThatThrownBy(() -> check(NOW))
                .isInstanceOf(SweepRefusedException.class)
                .hasMessageContaining("it belongs to the ledger of Kafka cluster cluster-a");
        assertThat(files()).contains(name);
    }

    @Test
    void whatIsYoungStaysWhosever() throws IOException {
        write(UNKNOWN + "/1/0-a.csv", NOW.minus(AGE));
        write(DONE + "/1/0-a.csv", NOW.plus(AGE));
        assertThat(sweep(100)).isEqualTo(new Sweep.Swept(0, 0));
    }

    @Test
    void aResultStaysForTheAgeAfterItsEndSinceClocksDiffer() throws IOException {
        String file = DONE + "/2/report-a.csv";
        write(file, NOW.minus(AGE).minusSeconds(1));
        ledger.put(DONE, SampleStatuses.complete(DONE, file, NOW.minus(AGE).plusSeconds(1)));
        assertThat(sweep().files()).isZero();
        ledger.put(DONE, SampleStatuses.complete(DONE, file, NOW.minus(AGE)));
        assertThat(sweep().files()).isEqualTo(1);
    }

    @Test
    void whatADeadWriterLeftGoes() throws IOException {
        ReportFileWriter dead = store.create(OPEN + "/1/0-a.csv");
        Tick.age(root, NOW.minus(AGE).minusSeconds(1));
        ReportFileWriter alive = store.create(OPEN + "/1/1-a.csv");
        Tick.age(root, OPEN + "/1", ".1-a", NOW);
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 1));
        alive.commit();
        assertThat(files()).containsExactly(OPEN + "/1/1-a.csv");
        dead.close();
    }

    @Test
    void withoutTheLedgerNothingFinishedGoes() throws IOException {
        write(UNKNOWN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        var behind = new Sweep(
                store,
                (reports, before) -> {
                    throw new IOException("the ledger is behind");
                },
                versions,
                settings(100));
        assertThatThrownBy(() -> behind.run(NOW)).isInstanceOf(IOException.class);
        assertThat(store.list()).hasSize(1);
    }

    /** The ledger of another Kafka knows none of the files, or only the few that it made itself. */
    @Test
    void aStoreThatNobodySweptGoesToALedgerThatKnowsItsFiles() throws IOException {
        for (int i = 0; i < 9; i++) {
            write(OPEN + "/1/" + i + "-a.csv", NOW.minus(AGE).minusSeconds(1));
        }
        write(UNKNOWN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        write(new UUID(1, 8) + "/1/0-young.csv", NOW.minusSeconds(61));
        assertRefused(10, "the ledger knows nothing of 2 of 11 files, more than 10 percent");
        assertThat(files()).hasSize(11);
        store.delete(new UUID(1, 8) + "/1/0-young.csv");
        assertThat(sweep()).isEqualTo(new Sweep.Swept(1, 0));
        assertThat(files()).hasSize(9);
    }

    @Test
    void anotherKafkaDoesNotSweep() throws IOException {
        write(OPEN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 0));
        write(FAILED + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        mark = new LedgerMark("cluster-b", "topic-1", mark.places());
        assertRefused(100, "it belongs to the ledger of Kafka cluster cluster-a, and this is cluster cluster-b");
        mark = new LedgerMark("cluster-a", "topic-1", Map.of(0, new LedgerMark.Place(40, 1000)));
        assertRefused(100, "delete the file ledger.json from the store");
        assertThat(files()).hasSize(2);
        store.delete("ledger.json");
        assertThat(sweep().files()).isEqualTo(1);
    }

    /** Records of Kafka are lost, which nothing else shows. */
    @Test
    void whatTheLedgerDoesNotKnowIsFewOrAllOfItStays() throws IOException {
        write(OPEN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 0));
        for (int i = 0; i < Sweep.FEW_UNKNOWN; i++) {
            write(new UUID(2, i) + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        }
        write(new UUID(3, 0) + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        assertRefused(10, "the ledger knows nothing of 301 of 302 files, more than 10 percent");
        assertThat(files()).hasSize(302);
        store.delete(new UUID(3, 0) + "/1/0-a.csv");
        assertThat(sweep()).isEqualTo(new Sweep.Swept(Sweep.FEW_UNKNOWN, 0));
    }

    /** Between two listings Kafka may be restored to a point after the last of them. */
    @Test
    void aCheckRenewsTheMarkWithoutAListing() throws IOException {
        write(FAILED + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        assertThat(check(NOW)).isZero();
        assertThat(store.exists(LedgerMarkFile.NAME)).as("nobody's store").isFalse();
        assertThat(sweep(100).files()).isEqualTo(1);

        String file = FAILED + "/1/0-b.csv";
        write(file, NOW.minus(AGE).minusSeconds(1));
        mark = new LedgerMark("cluster-a", "topic-1", Map.of(0, new LedgerMark.Place(90, 2000)));
        assertThat(check(NOW.plusSeconds(60))).isZero();
        assertThat(files()).containsExactly(file);

        mark = new LedgerMark("cluster-a", "topic-1", Map.of(0, new LedgerMark.Place(60, 1500)));
        assertThatThrownBy(() -> check(NOW.plusSeconds(120))).isInstanceOf(SweepRefusedException.class);
        assertRefused(100, "restore to an earlier point");
    }

    /** Whichever processor lists it, and however often they are restarted. */
    @Test
    void theStoreIsListedOnceInAnInterval() throws IOException {
        assertThat(pass().isDue(NOW)).isTrue();
        sweep();
        assertThat(pass().isDue(NOW.plus(Duration.ofMinutes(59)))).isFalse();
        check(NOW.plus(Duration.ofMinutes(59)));
        assertThat(pass().isDue(NOW.plus(Duration.ofMinutes(60)))).isTrue();
        assertThat(pass().isDue(NOW.minusSeconds(1))).as("a clock was ahead").isTrue();
        new LedgerMarkFile(store).write(mark);
        assertThat(pass().isDue(NOW)).as("a build before did not say when").isTrue();
    }

    /** As a power cut may leave it: without the mark, files of another ledger would be deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{}", "{\"cluster\":\"cluster-a\""})
    void aDamagedMarkIsNamedAndNothingIsDeleted(String content) throws IOException {
        write(UNKNOWN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        Files.writeString(root.resolve(LedgerMarkFile.NAME), content);
        for (ThrowingCallable step : List.<ThrowingCallable>of(this::sweep, () -> check(NOW))) {
            assertThatThrownBy(step)
                    .isInstanceOf(SweepRefusedException.class)
                    .hasMessageContaining("ledger.json is damaged")
                    .hasMessageContaining("delete it");
        }
        assertThat(files()).containsExactly(UNKNOWN + "/1/0-a.csv");
    }

    @Test
    void processorsMaySweepAtTheSameTime() throws Exception {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            kept.add(OPEN + "/1/" + i + "-a.csv");
            write(kept.getLast(), NOW.minus(AGE).minusSeconds(1));
            write(new UUID(2, i) + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
            write("acme/" + new UUID(3, i) + "/request", NOW.minus(AGE).minusSeconds(1));
        }
        int files = 0;
        try (ExecutorService processors = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Sweep.Swept> swept :
                    processors.invokeAll(Collections.<Callable<Sweep.Swept>>nCopies(4, () -> sweep(100)))) {
                files += swept.get().files();
            }
        }
        // Both sweeps may count a file that one of them has deleted.
        assertThat(files).isGreaterThanOrEqualTo(400);
        assertThat(files()).containsExactlyInAnyOrderElementsOf(kept);
    }

    private Sweep.Swept sweep() throws IOException {
        return sweep(10);
    }

    private Sweep.Swept sweep(int unknownPercent) throws IOException {
        return new Sweep(store, this::ask, versions, settings(unknownPercent)).run(NOW);
    }

    private Sweep pass() {
        return new Sweep(store, this::ask, versions, settings(10));
    }

    private int check(Instant now) throws IOException {
        return pass().check(now);
    }

    private void assertRefused(int unknownPercent, String words) {
        assertThatThrownBy(() -> sweep(unknownPercent))
                .isInstanceOf(SweepRefusedException.class)
                .hasMessageContaining(words);
    }

    private StatusLookup.Known ask(Collection<UUID> reports, @Nullable LedgerMark before) throws IOException {
        var history = new LedgerHistory(mark.cluster(), mark.topic(), before);
        Map<Integer, Long> ends = new HashMap<>();
        for (var place : mark.places().entrySet()) {
            history.read(
                    place.getKey(), place.getValue().offset(), place.getValue().time());
            ends.put(place.getKey(), place.getValue().offset() + 1);
        }
        var known = new HashMap<>(ledger);
        known.keySet().retainAll(reports);
        return new StatusLookup.Known(known, history.read(ends));
    }

    private static SweepSettings settings(int unknownPercent) {
        return new SweepSettings(Duration.ofHours(1), AGE, unknownPercent);
    }

    /** The files of reports. */
    private List<String> files() throws IOException {
        return store.list().stream()
                .filter(name -> !name.equals(LedgerMarkFile.NAME))
                .toList();
    }

    private void write(String name, Instant time) throws IOException {
        try (ReportFileWriter out = store.create(name)) {
            out.write("x".getBytes(UTF_8));
            out.commit();
        }
        Files.setLastModifiedTime(root.resolve(name), FileTime.from(time));
    }

    /** Sets the times of files. */
    private static final class Tick {
        static void age(Path root, Instant time) throws IOException {
            try (var files = Files.walk(root)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.setLastModifiedTime(file, FileTime.from(time));
                }
            }
        }

        static void age(Path root, String folder, String start, Instant time) throws IOException {
            try (var files = Files.newDirectoryStream(root.resolve(folder), start + "*")) {
                for (Path file : files) {
                    Files.setLastModifiedTime(file, FileTime.from(time));
                }
            }
        }
    }
}
