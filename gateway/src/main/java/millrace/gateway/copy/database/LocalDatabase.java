package millrace.gateway.copy.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * A RocksDB database with bounds of its own. A batch that was written survives the end of the
 * process, and not always that of the machine: then the database is as it was a moment before. Safe
 * for use by many threads, until it is closed.
 */
public final class LocalDatabase implements AutoCloseable {
    /** Two of them: one is filled while the other is written to a file. */
    private static final int WRITE_BUFFERS = 2;

    /** Part of a write buffer for a filter of its keys. Most keys that are asked for while a store is built are new. */
    private static final double WRITE_BUFFER_FILTER = 0.05;

    /** Of indexes and filters, which are read in parts: those of ten million reports are larger than the cache. */
    private static final int INDEX_BLOCK = 4 << 10;

    private static final int BLOCK = 16 << 10;
    private static final long FILE = 64L << 20;
    private static final long FIRST_LEVEL = 64L << 20;
    private static final int BITS_PER_KEY = 10;
    /** As many as two cores need; more would be small. */
    private static final int SHARD_BITS = 4;
    /** What finds the blocks stays in the cache longer than they do, up to this part of it. */
    private static final double FOR_INDEXES = 0.5;

    private final RocksDB database;
    private final ReadOptions reads = new ReadOptions();
    private final ReadOptions cached = new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER);
    private final WriteOptions writes = new WriteOptions();
    private final List<RocksObject> owned;

    private LocalDatabase(RocksDB database, List<RocksObject> owned) {
        this.database = database;
        this.owned = owned;
    }

    /**
     * What it may take of memory and of files, outside of the heap.
     *
     * @param cache bytes of blocks, indexes and filters of files that are read
     * @param writeBuffer bytes of each of two write buffers
     */
    public record Bounds(long cache, long writeBuffer, int openFiles) {}

    /**
     * Opens the database, or makes an empty one.
     *
     * @throws StoreException where it cannot be opened
     */
    public static LocalDatabase open(Path folder, Bounds bounds) {
        RocksDB.loadLibrary();
        var cache = new LRUCache(bounds.cache(), SHARD_BITS, false, FOR_INDEXES);
        var filter = new BloomFilter(BITS_PER_KEY);
        var tables = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setFilterPolicy(filter)
                .setBlockSize(BLOCK)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(INDEX_BLOCK)
                .setPinTopLevelIndexAndFilter(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true);
        var options = new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(tables)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setWriteBufferSize(bounds.writeBuffer())
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setMemtablePrefixBloomSizeRatio(WRITE_BUFFER_FILTER)
                .setMemtableWholeKeyFiltering(true)
                .setTargetFileSizeBase(FILE)
                .setMaxBytesForLevelBase(FIRST_LEVEL)
                .setMaxOpenFiles(bounds.openFiles())
                .setMaxBackgroundJobs(2)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(1 << 20)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0);
        List<RocksObject> owned = List.of(options, filter, cache);
        try {
            return new LocalDatabase(RocksDB.open(options, folder.toString()), owned);
        } catch (RocksDBException e) {
            owned.forEach(RocksObject::close);
            throw new StoreException(e);
        }
    }

    /** Deletes the files of a database that is not open, if there are any. */
    public static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // There are none.
        }
    }

    /** @throws StoreException where it cannot be read */
    public byte @Nullable [] get(RowKey key) {
        try {
            return database.get(reads, key.bytes());
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    /**
     * As {@link #get}, without reading the disk, for threads that must not wait.
     *
     * @throws NotCachedException where the answer is not in memory
     * @throws StoreException where it cannot be read
     */
    public byte @Nullable [] cached(RowKey key) throws NotCachedException {
        try {
            return database.get(cached, key.bytes());
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
                throw new NotCachedException();
            }
            throw new StoreException(e);
        }
    }

    /** All rows whose keys begin with this one, in the order of their keys. */
    public Rows all(RowKey prefix) {
        return new Rows(database, prefix.bytes(), RowKey.end(prefix.bytes()), false);
    }

    /** Goes over the rows with the prefix, in the order of their keys. The row is a key and its value. */
    public void each(RowKey prefix, BiConsumer<byte[], byte[]> row) {
        try (Rows rows = all(prefix)) {
            for (; rows.present(); rows.next()) {
                row.accept(rows.key(), rows.value());
            }
        }
    }

    /** Rows whose keys begin with the prefix, from the given one on. */
    public Rows from(RowKey first, RowKey prefix) {
        return new Rows(database, first.bytes(), RowKey.end(prefix.bytes()), false);
    }

    /** Rows whose keys begin with the prefix and are below the given one, the last one first. */
    public Rows backwards(RowKey prefix, @Nullable RowKey before) {
        byte[] to = before == null ? RowKey.end(prefix.bytes()) : before.bytes();
        return new Rows(database, prefix.bytes(), to, true);
    }

    public RowBatch batch() {
        return new RowBatch(database, reads);
    }

    /** @throws StoreException where it cannot be written; nothing of the batch is then */
    public void write(RowBatch batch) {
        try {
            database.write(writes, batch.batch);
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    /**
     * Deletes all rows from the first key to the second, exclusively.
     *
     * @throws StoreException where they cannot be deleted; some may be then
     */
    public void deleteRange(RowKey first, RowKey end) {
        byte[] from = first.bytes();
        byte[] to = end.bytes();
        try {
            // Most of it in whole files, at once; the rest when files are merged.
            database.deleteFilesInRanges(database.getDefaultColumnFamily(), List.of(from, to), false);
            database.deleteRange(writes, from, to);
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    /** Bytes of its files. */
    public long bytes() {
        try {
            return database.getLongProperty("rocksdb.total-sst-files-size");
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    /** All rows must have been closed. */
    @Override
    public void close() {
        reads.close();
        cached.close();
        writes.close();
        database.close();
        owned.forEach(RocksObject::close);
    }
}
