package millrace.processor.warehouse.duckdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.ColumnType;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entity index of a version: a RocksDB SST file with keys of entity, granularity and {@code subdomains}, and {@link
 * RowBlock}s as values. It holds a copy of the rows, so that a small report needs no query, whose planning is more than
 * half of the cost.
 */
final class EntityIndexFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntityIndexFile.class);
    /** The key of the stamp, before all entities. */
    private static final byte[] STAMP = {0};

    private final Options options;
    private final SstFileReader reader;
    private final IndexedColumns columns;

    private EntityIndexFile(Options options, SstFileReader reader, IndexedColumns columns) {
        this.options = options;
        this.reader = reader;
        this.columns = columns;
    }

    /** Identifies the version and columns that an index was built from. */
    record Stamp(long size, long modified, IndexedColumns columns) {
        static Stamp of(Path version, IndexedColumns columns) throws IOException {
            return new Stamp(
                    Files.size(version), Files.getLastModifiedTime(version).toMillis(), columns);
        }

        byte[] key() {
            return STAMP.clone();
        }

        byte[] bytes() {
            return Json.bytes(this);
        }
    }

    /** Opens the index; empty where the file does not exist, is damaged, or was built from something else. */
    static Optional<EntityIndexFile> open(Path file, Stamp stamp) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        // Repeated reads use the page cache of the operating system.
        var options = new Options().setTableFormatConfig(new BlockBasedTableConfig().setNoBlockCache(true));
        var reader = new SstFileReader(options);
        var index = new EntityIndexFile(options, reader, stamp.columns);
        try {
            reader.open(file.toString());
            if (Arrays.equals(index.first(), stamp.bytes())) {
                return Optional.of(index);
            }
        } catch (RocksDBException e) {
            LOG.info("entity index not readable, it is built again file={} error={}", file, e.getMessage());
        }
        index.close();
        return Optional.empty();
    }

    private byte @Nullable [] first() {
        try (var options = new ReadOptions();
                SstFileReaderIterator all = reader.newIterator(options)) {
            all.seekToFirst();
            return all.isValid() && Arrays.equals(all.key(), STAMP) ? all.value() : null;
        }
    }

    /** The prefix of the keys of an entity's blocks; the number of the block follows. */
    static byte[] prefix(String entity, String granularity, boolean subdomains) {
        return (entity + "\0" + granularity + "\0" + (subdomains ? "1" : "0") + "\0").getBytes(StandardCharsets.UTF_8);
    }

    static byte[] key(byte[] prefix, int block) {
        return ByteBuffer.allocate(prefix.length + Integer.BYTES)
                .put(prefix)
                .putInt(block)
                .array();
    }

    public IndexedColumns columns() {
        return columns;
    }

    /** The blocks with these columns; to be closed before the index is. */
    Blocks blocks(List<String> columnNames) {
        return new Blocks(columnNames);
    }

    /** Iterates over the blocks of one entity after the other. Not thread-safe. */
    final class Blocks implements AutoCloseable {
        private final ReadOptions readOptions = new ReadOptions();
        private final SstFileReaderIterator at = reader.newIterator(readOptions);
        private final List<ColumnType> types = columns.types();
        private final int[] wanted;
        private byte[] prefix = {};
        /** The last block of the current entity that was read. */
        private @Nullable RowBlock last;

        private Blocks(List<String> columnNames) {
            this.wanted = columns.numbers(columnNames);
        }

        void enter(byte[] newPrefix) {
            prefix = newPrefix;
            last = null;
            at.seek(newPrefix);
        }

        /** The entity's next block; null after the last. */
        @Nullable
        RowBlock next() throws RocksDBException {
            if (last != null) {
                // A block that is not full is the last. Moving on would read a whole block, most likely of another
                // entity.
                if (last.rows() < RowBlockWriter.MOST_ROWS) {
                    return null;
                }
                at.next();
            }
            if (!at.isValid()) {
                at.status();
                return null;
            }
            byte[] key = at.key();
            if (key.length < prefix.length || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                return null;
            }
            last = new RowBlock(at.value(), types, wanted);
            return last;
        }

        @Override
        public void close() {
            at.close();
            readOptions.close();
        }
    }

    @Override
    public void close() {
        reader.close();
        options.close();
    }
}
