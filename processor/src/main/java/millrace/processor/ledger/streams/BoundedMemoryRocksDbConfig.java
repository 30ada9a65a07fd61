package millrace.processor.ledger.streams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * Limits the memory of all RocksDB stores of the process together. By default each store may take about 100 MB outside
 * the Java heap, and there is one for each partition.
 */
public final class BoundedMemoryRocksDbConfig implements RocksDBConfigSetter {
    private static final long BUDGET = 96L << 20;
    private static final long WRITE_BUFFERS = 48L << 20;
    private static final long WRITE_BUFFER = 4L << 20;
    /**
     * What a store takes with its first write. By default it is an eighth of the write buffer, with which 85 stores
     * would reach the limit of all of them; each further write would then make a file.
     */
    private static final long BLOCK = 32L << 10;

    /** The shared cache and write buffers, which live as long as the process and are never closed. */
    private static final class Shared {
        static final Cache CACHE;
        static final WriteBufferManager BUFFERS;

        static {
            RocksDB.loadLibrary();
            CACHE = new LRUCache(BUDGET);
            BUFFERS = new WriteBufferManager(WRITE_BUFFERS, CACHE);
        }
    }

    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(Shared.CACHE);
        table.setCacheIndexAndFilterBlocks(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(Shared.BUFFERS);
        options.setWriteBufferSize(WRITE_BUFFER);
        options.setArenaBlockSize(BLOCK);
        options.setMaxWriteBufferNumber(2);
    }

    @Override
    public void close(String store, Options options) {
        // cache and buffers are shared with other stores
    }
}
