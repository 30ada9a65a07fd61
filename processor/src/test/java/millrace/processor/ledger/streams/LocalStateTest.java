package millrace.processor.ledger.streams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class LocalStateTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    @TempDir
    Path state;

    private enum Damage {
        CURRENT_CUT {
            @Override
            void to(Path store) throws IOException {
                cut(store.resolve("CURRENT"), 5);
            }
        },
        MANIFEST_CUT {
            @Override
            void to(Path store) throws IOException {
                cut(file(store, "MANIFEST-"), 5);
            }
        },
        MANIFEST_LOST {
            @Override
            void to(Path store) throws IOException {
                Files.delete(file(store, "MANIFEST-"));
            }
        },
        TABLE_LOST {
            @Override
            void to(Path store) throws IOException {
                Files.delete(file(store, ".sst"));
            }
        },
        TABLE_CHANGED {
            @Override
            void to(Path store) throws IOException {
                Path table = file(store, ".sst");
                byte[] bytes = Files.readAllBytes(table);
                bytes[bytes.length / 2] ^= 1;
                Files.write(table, bytes);
            }
        };

        abstract void to(Path store) throws IOException;

        private static void cut(Path file, long size) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(size);
            }
        }

        private static Path file(Path store, String part) throws IOException {
            try (Stream<Path> files = Files.list(store)) {
                return files.filter(f -> f.getFileName().toString().contains(part))
                        .findFirst()
                        .orElseThrow();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatIsDamagedIsMovedAside(Damage damage) throws Exception {
        Path whole = store("0_0");
        damage.to(store("0_1"));
        assertThat(at(NOON).check()).isEqualTo(1);
        assertThat(whole).isDirectory();
        assertThat(task("0_1")).doesNotExist();
        assertThat(state.resolve("damaged/20261122T120000Z-0_1/rocksdb/ledger")).isDirectory();
        assertThat(at(NOON).check()).isZero();
    }

    @Test
    void anEmptyFolderIsNotDamaged() throws Exception {
        assertThat(at(NOON).check()).isZero();
        Files.createDirectories(task("0_0").resolve("rocksdb/ledger"));
        assertThat(at(NOON).check()).isZero();
    }

    @Test
    void theNewestFewAreKept() throws Exception {
        for (int i = 0; i < LocalState.MOST_KEPT + 2; i++) {
            Damage.CURRENT_CUT.to(store("0_1"));
            assertThat(at(NOON.plusSeconds(i)).check()).isEqualTo(1);
        }
        try (Stream<Path> kept = Files.list(state.resolve("damaged"))) {
            assertThat(kept.map(f -> f.getFileName().toString()))
                    .hasSize(LocalState.MOST_KEPT)
                    .contains("20261122T120005Z-0_1")
                    .doesNotContain("20261122T120001Z-0_1");
        }
    }

    @Test
    void aSuspicionIsFollowedOnce() throws Exception {
        Damage.TABLE_CHANGED.to(store("0_1"));
        at(NOON).checkIfSuspected();
        assertThat(task("0_1")).as("every start would read everything").isDirectory();
        at(NOON).suspect();
        at(NOON).checkIfSuspected();
        assertThat(task("0_1")).doesNotExist();
        Damage.TABLE_CHANGED.to(store("0_1"));
        at(NOON).checkIfSuspected();
        assertThat(task("0_1")).isDirectory();
    }

    /** Of Streams, local state goes on at an offset of whichever topic has the name. */
    @ParameterizedTest
    @CsvSource({
        "'', a, false, true",
        "'', a, true, false",
        "'', '', false, true",
        "a, a, true, true",
        "a, b, false, false",
        "a, '', false, false",
    })
    void stateOfAnotherTopicIsDeleted(String noted, String topic, boolean changed, boolean kept) throws Exception {
        if (!noted.isEmpty()) {
            at(NOON).keepOnlyOf(changelog(noted, false));
        }
        Path store = Files.createDirectories(task("0_0").resolve("rocksdb/ledger"));
        at(NOON).keepOnlyOf(changelog(topic, changed));
        assertThat(Files.exists(store)).isEqualTo(kept);

        Files.createDirectories(store);
        at(NOON).keepOnlyOf(changelog(topic, changed && !topic.isEmpty()));
        assertThat(store).as("the topic is noted").isDirectory();
    }

    /** As a power cut may leave it: of which topic the state is cannot be known. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a\u00FF"})
    void stateIsDeletedWhereItsNoteSaysNothing(String content) throws Exception {
        at(NOON).keepOnlyOf(changelog("a", false));
        Path store = Files.createDirectories(task("0_0").resolve("rocksdb/ledger"));
        try (Stream<Path> files = Files.walk(state)) {
            for (Path note : files.filter(file -> file.endsWith("changelog")).toList()) {
                Files.writeString(note, content, ISO_8859_1);
            }
        }
        at(NOON).keepOnlyOf(changelog("a", false));
        assertThat(store).doesNotExist();
        Files.createDirectories(store);
        at(NOON).keepOnlyOf(changelog("a", false));
        assertThat(store).isDirectory();
    }

    private static LostStateCheck.Changelog changelog(String id, boolean changed) {
        return new LostStateCheck.Changelog(Optional.of(id).filter(known -> !known.isEmpty()), changed);
    }

    /** The last record was at offset 41, and 42 is the end of its transaction. */
    @Test
    void whatIsOldIsUsedOnlyWhereNobodyHasGoneOn() throws Exception {
        store("0_0");
        store("0_1");
        Instant written = Files.getLastModifiedTime(task("0_0").resolve("rocksdb/ledger/CURRENT"))
                .toInstant();
        Duration hour = Duration.ofHours(1);
        at(written.plusSeconds(3_500)).discardOutdated(hour, () -> {
            throw new IllegalStateException("Kafka is not asked at every start");
        });
        at(written.plusSeconds(7_200)).discardOutdated(hour, () -> Map.of(0, 43L, 1, 44L));
        assertThat(task("0_0")).isDirectory();
        assertThat(task("0_1")).doesNotExist();
        at(written.plusSeconds(7_200)).discardOutdated(hour, Map::of);
        assertThat(task("0_0")).doesNotExist();
    }

    @Test
    void whatIsOldAndNotWholeIsNotUsed() throws Exception {
        Files.createDirectories(task("0_0").resolve("rocksdb/ledger"));
        Files.createDirectories(task("0_1").resolve("rocksdb"));
        Damage.MANIFEST_LOST.to(store("0_2"));
        at(Instant.now().plusSeconds(7_200)).discardOutdated(Duration.ofHours(1), () -> Map.of(0, 43L, 1, 43L, 2, 43L));
        assertThat(state.resolve("millrace-processor")).isEmptyDirectory();
    }

    @Test
    void aFullDiskIsNoDamage() {
        assertThat(LocalState.damage(failed(Status.Code.IOError, Status.SubCode.NoSpace)))
                .isEmpty();
        assertThat(LocalState.damage(new IllegalStateException("Kafka is unavailable")))
                .isEmpty();
        assertThat(LocalState.damage(failed(Status.Code.Corruption, Status.SubCode.None)))
                .contains("words");
    }

    private static RuntimeException failed(Status.Code code, Status.SubCode subCode) {
        return new ProcessorStateException(
                "Error opening store", new RocksDBException("words", new Status(code, subCode, "words")));
    }

    private LocalState at(Instant time) {
        return new LocalState(state, () -> time);
    }

    private Path task(String task) {
        return state.resolve("millrace-processor").resolve(task);
    }

    /** Creates a store with values, as Streams does. */
    private Path store(String task) throws IOException, RocksDBException {
        Path folder = Files.createDirectories(task(task).resolve("rocksdb/ledger"));
        try (var options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
                var familyOptions = new ColumnFamilyOptions();
                var flush = new FlushOptions()) {
            var families = List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions),
                    new ColumnFamilyDescriptor("offsets".getBytes(UTF_8), familyOptions));
            var handles = new ArrayList<ColumnFamilyHandle>();
            try (RocksDB db = RocksDB.open(options, folder.toString(), families, handles)) {
                for (int i = 0; i < 100; i++) {
                    db.put(("key" + i).getBytes(UTF_8), ("value" + i).getBytes(UTF_8));
                }
                String changelog = LostStateCheck.TOPIC + "-" + task.substring(task.indexOf('_') + 1);
                db.put(
                        handles.get(1),
                        changelog.getBytes(UTF_8),
                        ByteBuffer.allocate(Long.BYTES).putLong(41).array());
                db.flush(flush, handles);
                handles.forEach(ColumnFamilyHandle::close);
            }
        }
        return folder;
    }
}
