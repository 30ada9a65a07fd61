package millrace.processor.sweeping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static millrace.processor.sweeping.Statuses.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.contracts.ReportStatus;
import millrace.files.DiskReportStore;
import millrace.files.PartWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept and what goes, over a folder and a ledger that the test makes up. */
class SweepTest {
    private static final Duration AGE = Duration.ofHours(24);
    private static final UUID OPEN = new UUID(1, 1);
    private static final UUID DONE = new UUID(1, 2);
    private static final UUID EXPIRED = new UUID(1, 3);
    private static final UUID FAILED = new UUID(1, 4);
    private static final UUID UNKNOWN = new UUID(1, 5);

    @TempDir
    private Path root;

    private DiskReportStore store;
    private final Map<UUID, ReportStatus> ledger = new HashMap<>();

    @BeforeEach
    void reports() throws IOException {
        store = new DiskReportStore(root, false);
        ledger.put(OPEN, Statuses.processing(OPEN));
        ledger.put(DONE, Statuses.complete(DONE, DONE + "/2/report-a.csv", NOW));
        ledger.put(EXPIRED, Statuses.complete(EXPIRED, EXPIRED + "/1/0-a", NOW.minus(AGE)));
        ledger.put(FAILED, Statuses.failed(FAILED));
    }

    @Test
    void onlyWhatAReportNeedsStays() throws IOException {
        List<String> kept = List.of(
                OPEN + "/1/0-a.csv",
                OPEN + "/1/0-second.csv",
                OPEN + "/2/0-a.csv",
                DONE + "/2/report-a.csv",
                "acme/" + OPEN + "/request",
                "acme/" + EXPIRED + "/request",
                "acme/" + FAILED + "/request",
                "somebody/elses");
        List<String> gone = List.of(
                DONE + "/2/report-lost.csv",
                DONE + "/2/0-a.csv",
                DONE + "/1/report-a.csv",
                EXPIRED + "/1/0-a",
                FAILED + "/1/0-a.jsonl.gz",
                UNKNOWN + "/1/0-a.csv",
                "acme/" + UNKNOWN + "/request");
        for (String name : kept) {
            write(name, NOW.minus(AGE).minusSeconds(1));
        }
        for (String name : gone) {
            write(name, NOW.minus(AGE).minusSeconds(1));
        }

        assertThat(sweep()).isEqualTo(new Sweep.Swept(gone.size(), 0));
        assertThat(store.list()).containsExactlyInAnyOrderElementsOf(kept);
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 0));
    }

    @Test
    void whatIsYoungStaysWhosever() throws IOException {
        write(UNKNOWN + "/1/0-a.csv", NOW.minus(AGE));
        write(DONE + "/1/0-a.csv", NOW.plus(AGE));
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 0));
    }

    @Test
    void aResultStaysForTheAgeAfterItsEndSinceClocksDiffer() throws IOException {
        String file = DONE + "/2/report-a.csv";
        write(file, NOW.minus(AGE).minusSeconds(1));
        ledger.put(DONE, Statuses.complete(DONE, file, NOW.minus(AGE).plusSeconds(1)));
        assertThat(sweep().files()).isZero();
        ledger.put(DONE, Statuses.complete(DONE, file, NOW.minus(AGE)));
        assertThat(sweep().files()).isEqualTo(1);
    }

    @Test
    void whatADeadWriterLeftGoes() throws IOException {
        PartWriter dead = store.create(OPEN + "/1/0-a.csv");
        Tick.age(root, NOW.minus(AGE).minusSeconds(1));
        PartWriter alive = store.create(OPEN + "/1/1-a.csv");
        Tick.age(root, OPEN + "/1", ".1-a", NOW);
        assertThat(sweep()).isEqualTo(new Sweep.Swept(0, 1));
        alive.commit();
        assertThat(store.list()).containsExactly(OPEN + "/1/1-a.csv");
        dead.close();
    }

    @Test
    void withoutTheLedgerNothingFinishedGoes() throws IOException {
        write(UNKNOWN + "/1/0-a.csv", NOW.minus(AGE).minusSeconds(1));
        var behind = new Sweep(
                store,
                reports -> {
                    throw new IOException("the ledger is behind");
                },
                AGE);
        assertThatThrownBy(() -> behind.run(NOW)).isInstanceOf(IOException.class);
        assertThat(store.list()).hasSize(1);
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
                    processors.invokeAll(Collections.<Callable<Sweep.Swept>>nCopies(4, this::sweep))) {
                files += swept.get().files();
            }
        }
        // What one has deleted already the other one may count too.
        assertThat(files).isGreaterThanOrEqualTo(400);
        assertThat(store.list()).containsExactlyInAnyOrderElementsOf(kept);
    }

    private Sweep.Swept sweep() throws IOException {
        return new Sweep(
                        store,
                        reports -> {
                            var known = new HashMap<>(ledger);
                            known.keySet().retainAll(reports);
                            return known;
                        },
                        AGE)
                .run(NOW);
    }

    private void write(String name, Instant time) throws IOException {
        try (PartWriter out = store.create(name)) {
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
