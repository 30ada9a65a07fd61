package millrace.gateway.activity.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteOptions;

/**
 * A RocksDB database with bounds of its own. A batch that was written survives the end of the
 * process, and not always that of the machine: then the database is as it was a moment before. Safe
 * for use by many threads, until it is closed.
 */
public final class ActivityDatabase implements AutoCloseable {
    /** Blocks, indexes and filters of files that are read. */
    private static final long CACHE = 8L << 20;
    /** Two of them: one is filled while the other is written to a file. */
    private static final long WRITE_BUFFER = 4L << 20;

    private static final int WRITE_BUFFERS = 2;
    private static final int OPEN_FILES = 64;
    private static final long FILE = 16L << 20;
    private static final long FIRST_LEVEL = 64L << 20;
    private static final int BITS_PER_KEY = 10;

    private final RocksDB database;
    private final ReadOptions reads = new ReadOptions();
    private final WriteOptions writes = new WriteOptions();
    private final List<RocksObject> owned;

    private ActivityDatabase(RocksDB database, List<RocksObject> owned) {
        this.database = database;
        this.owned = owned;
    }

    /**
     * Opens the database, or makes an empty one.
     *
     * @throws StoreException where it cannot be opened
     */
    public static ActivityDatabase open(Path folder) {
        RocksDB.loadLibrary();
        var cache = new LRUCache(CACHE);
        var filter = new BloomFilter(BITS_PER_KEY);
        var options = new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setCacheIndexAndFilterBlocks(true)
                        .setFilterPolicy(filter))
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setWriteBufferSize(WRITE_BUFFER)
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setTargetFileSizeBase(FILE)
                .setMaxBytesForLevelBase(FIRST_LEVEL)
                .setMaxOpenFiles(OPEN_FILES)
                .setMaxBackgroundJobs(2)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(1 << 20)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0);
        List<RocksObject> owned = List.of(options, filter, cache);
        try {
            return new ActivityDatabase(RocksDB.open(options, folder.toString()), owned);
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

    /** All rows whose keys begin with this one, in the order of their keys. */
    public Rows all(RowKey prefix) {
        return new Rows(database, prefix.bytes(), RowKey.end(prefix.bytes()), false);
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
     * Deletes all rows of days before these.
     *
     * @param events the oldest day that is kept of what happened
     * @param ledger the oldest day that is kept of the ledger
     */
    public void deleteBefore(int events, int ledger) {
        for (Table table : Table.values()) {
            switch (table.kept) {
                case ALWAYS -> {}
                case EVENTS -> deleteBefore(table, events);
                case LEDGER -> deleteBefore(table, ledger);
                case LEDGER_PERIODS -> deleteBefore(table, Table.period(ledger));
            }
        }
    }

    private void deleteBefore(Table table, int day) {
        byte[] from = RowKey.in(table).bytes();
        byte[] to = RowKey.in(table).day(day).bytes();
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
        writes.close();
        database.close();
        owned.forEach(RocksObject::close);
    }
}
