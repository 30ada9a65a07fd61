package millrace.processor.ledger.streams.internals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The folders in which Streams keeps the state of its tasks: {@code {state}/{application}/{number}_{partition}}, in each
 * {@code rocksdb/{store}}, a RocksDB database that also has, in a column family of its own, how far the store is in its
 * changelog.
 */
public final class TaskFolders {
    private static final byte[] OFFSETS = "offsets".getBytes(StandardCharsets.UTF_8);
    /** What is behind the offset of the last record of a transaction. */
    private static final long RECORD_AND_COMMIT = 2;

    private TaskFolders() {}

    /** The folders of the tasks. */
    public static List<Path> of(Path state, String application) throws IOException {
        return in(state.resolve(application));
    }

    /** The databases of a task. */
    public static List<Path> stores(Path task) throws IOException {
        return in(task.resolve("rocksdb"));
    }

    /** The folders in a folder, sorted by name; empty if it does not exist. */
    public static List<Path> in(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(parent)) {
            return children.filter(Files::isDirectory).sorted().toList();
        }
    }

    /**
     * Whether a store has the last record of its changelog, behind which there is only the end of a transaction.
     *
     * @param changelog its topic
     * @param ends of the topic, by partition
     */
    public static boolean isAtEnd(Path task, String store, String changelog, Map<Integer, Long> ends)
            throws RocksDBException {
        String name = task.getFileName().toString();
        String partition = name.substring(name.indexOf('_') + 1);
        Long end = partition.matches("\\d{1,9}") ? ends.get(Integer.valueOf(partition)) : null;
        OptionalLong last = lastRecord(task.resolve("rocksdb").resolve(store), changelog + "-" + partition);
        return end != null && last.isPresent() && end - last.getAsLong() <= RECORD_AND_COMMIT;
    }

    /** The offset of the last record that Streams has put into the store. */
    private static OptionalLong lastRecord(Path store, String partition) throws RocksDBException {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (var options = new Options();
                var dbOptions = new DBOptions();
                var familyOptions = new ColumnFamilyOptions()) {
            List<ColumnFamilyDescriptor> families = RocksDB.listColumnFamilies(options, store.toString()).stream()
                    .map(name -> new ColumnFamilyDescriptor(name, familyOptions))
                    .toList();
            if (families.isEmpty()) {
                return OptionalLong.empty();
            }
            try (RocksDB db = RocksDB.openReadOnly(dbOptions, store.toString(), families, handles)) {
                OptionalLong found = OptionalLong.empty();
                for (ColumnFamilyHandle family : handles) {
                    byte[] offset = Arrays.equals(family.getName(), OFFSETS)
                            ? db.get(family, partition.getBytes(StandardCharsets.UTF_8))
                            : null;
                    if (offset != null && offset.length == Long.BYTES) {
                        found = OptionalLong.of(ByteBuffer.wrap(offset).getLong());
                    }
                    family.close();
                }
                return found;
            }
        }
    }
}
