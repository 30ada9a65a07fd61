package millrace.processor.ledger.streams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import millrace.contracts.topics.ConsumerGroups;
import millrace.control.ControlFile;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.ledger.streams.internals.TaskFolders;
import millrace.runtime.settings.SettingsException;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger's state on this machine: a folder for each Streams task, with its RocksDB databases. Kafka has all of it
 * too, so a damaged folder is moved aside and Streams rebuilds it. A folder is never moved for another reason, since
 * whole state is worth keeping while Kafka is unavailable or the disk is full; but state of another topic is deleted,
 * of which Streams would go on at offsets that have other records.
 */
final class LocalState {
    private static final Logger LOG = LoggerFactory.getLogger(LocalState.class);
    /** Number of damaged folders that are kept for an investigation. */
    static final int MOST_KEPT = 4;

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path state;
    private final Path aside;
    private final Path suspected;
    /** The id of the topic that the state is of. */
    private final Path source;

    private final InstantSource clock;

    /** @param state the setting {@code processor.state} */
    LocalState(Path state, InstantSource clock) {
        this.state = state;
        // Not in the folder of the tasks, which Streams manages.
        this.aside = state.resolve("damaged");
        this.suspected = state.resolve("suspected");
        this.source = state.resolve("changelog");
        this.clock = clock;
    }

    /** The message of RocksDB, where damaged data caused the error. */
    static Optional<String> damage(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof RocksDBException found && isDamage(found)) {
                return Optional.of(String.valueOf(found.getMessage()));
            }
        }
        return Optional.empty();
    }

    /** Makes the next start verify all checksums. Opening a database does not find damage within its blocks. */
    void suspect() {
        try {
            ControlFile.write(suspected, "");
        } catch (IOException e) {
            LOG.warn("damage marker not written file={} error={}", suspected, e.toString());
        }
    }

    /**
     * Deletes the state where it is that of another topic, as after a change of the number of partitions. Builds that
     * did not note the topic ran before any such change.
     */
    void keepOnlyOf(LostStateCheck.Changelog changelog) {
        try {
            String noted = Files.exists(source) ? ControlFile.read(source) : "";
            String id = changelog.id().orElse("");
            boolean damaged = noted.isEmpty() && Files.exists(source);
            if (damaged) {
                LOG.error(
                        "{} has no topic id, as after a power cut: which topic the local state is of is not known, so it is"
                                + " rebuilt from Kafka",
                        source);
            }
            if (damaged || (noted.isEmpty() ? changelog.changed() : !noted.equals(id))) {
                for (Path task : TaskFolders.of(state, ConsumerGroups.PROCESSOR)) {
                    delete(task);
                    LOG.warn("local state is of another topic, deleted and rebuilt from Kafka task={}", task);
                }
            }
            if (id.isEmpty()) {
                Files.deleteIfExists(source);
            } else if (!noted.equals(id)) {
                ControlFile.write(source, id + "\n");
            }
        } catch (IOException e) {
            throw new SettingsException("processor.state: state of another topic cannot be deleted: " + e);
        }
    }

    /** Checks the state, where the last run met damage. */
    void checkIfSuspected() {
        if (Files.exists(suspected)) {
            check();
            try {
                Files.delete(suspected);
            } catch (IOException e) {
                throw new SettingsException("processor.state: " + suspected + " cannot be deleted: " + e);
            }
        }
    }

    /**
     * Verifies all of the state, and moves damaged task folders aside. No Streams client may be using the state.
     *
     * @return the number of damaged folders
     */
    int check() {
        int moved = 0;
        try {
            for (Path task : TaskFolders.of(state, ConsumerGroups.PROCESSOR)) {
                Optional<String> damage = damageOf(task);
                if (damage.isPresent()) {
                    Path to = moveAside(task);
                    moved++;
                    LOG.warn(
                            "local state damaged, moved aside and rebuilt from Kafka task={} movedTo={} error={}",
                            task,
                            to,
                            damage.get());
                }
            }
            return moved;
        } catch (IOException e) {
            throw new SettingsException("processor.state: what is damaged cannot be moved aside: " + e);
        }
    }

    /**
     * Deletes the folders of tasks that have not been written to for so long that tombstones may be missing, unless
     * nothing was written to their changelog since. Whatever was deleted meanwhile would be there again.
     *
     * @param oldest the age up to which a folder is used in any case
     * @param ends returns the ends of the changelog, by partition; asked where a folder is older
     */
    void discardOutdated(Duration oldest, Supplier<Map<Integer, Long>> ends) {
        Instant limit = clock.instant().minus(oldest);
        try {
            List<Path> old = new ArrayList<>();
            for (Path task : TaskFolders.of(state, ConsumerGroups.PROCESSOR)) {
                if (lastWrite(task).isBefore(limit)) {
                    old.add(task);
                }
            }
            Map<Integer, Long> ofKafka = old.isEmpty() ? Map.of() : ends.get();
            for (Path task : old) {
                if (!isUpToDate(task, ofKafka)) {
                    LOG.info("local state is old, rebuilt from Kafka task={} lastUsed={}", task, lastWrite(task));
                    delete(task);
                }
            }
        } catch (IOException e) {
            throw new SettingsException("processor.state: what is too old cannot be deleted: " + e);
        }
    }

    private static Instant lastWrite(Path task) throws IOException {
        Instant newest = Instant.EPOCH;
        try (Stream<Path> files = Files.walk(task)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                newest = written.isAfter(newest) ? written : newest;
            }
        }
        return newest;
    }

    private static boolean isUpToDate(Path task, Map<Integer, Long> ends) {
        try {
            return TaskFolders.isAtEnd(task, LedgerStores.STORE, LostStateCheck.TOPIC, ends);
        } catch (RocksDBException e) {
            LOG.warn("local state not readable task={} error={}", task, e.getMessage());
            return false;
        }
    }

    private Optional<String> damageOf(Path task) throws IOException {
        for (Path store : TaskFolders.stores(task)) {
            try {
                read(store);
            } catch (RocksDBException e) {
                if (isDamage(e) || nameless(store)) {
                    return Optional.of(String.valueOf(e.getMessage()));
                }
                LOG.warn("local state not readable store={} error={}", store, e.getMessage());
            }
        }
        return Optional.empty();
    }

    /** Opens the database read-only and verifies the checksums of all blocks. */
    private static void read(Path store) throws RocksDBException {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (var options = new Options();
                var dbOptions = new DBOptions();
                var familyOptions = new ColumnFamilyOptions()) {
            List<byte[]> names = RocksDB.listColumnFamilies(options, store.toString());
            if (names.isEmpty()) { // not readable; opening the database gives the error
                names = List.of(RocksDB.DEFAULT_COLUMN_FAMILY);
            }
            List<ColumnFamilyDescriptor> families = names.stream()
                    .map(name -> new ColumnFamilyDescriptor(name, familyOptions))
                    .toList();
            try (RocksDB db = RocksDB.openReadOnly(dbOptions, store.toString(), families, handles)) {
                handles.forEach(ColumnFamilyHandle::close);
                db.verifyChecksum();
            }
        }
    }

    private static boolean isDamage(RocksDBException e) {
        Status status = e.getStatus();
        return status != null && status.getCode() == Status.Code.Corruption;
    }

    /** Whether the manifest is missing, which RocksDB reports like any other I/O error. */
    private static boolean nameless(Path store) throws IOException {
        Path current = store.resolve("CURRENT");
        return Files.exists(current)
                && Files.notExists(store.resolve(Files.readString(current).strip()));
    }

    private Path moveAside(Path task) throws IOException {
        Files.createDirectories(aside);
        List<Path> kept = TaskFolders.in(aside);
        for (Path oldest : kept.subList(0, Math.max(0, kept.size() - MOST_KEPT + 1))) {
            delete(oldest);
        }
        return Files.move(task, aside.resolve(SECOND.format(clock.instant()) + "-" + task.getFileName()));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
