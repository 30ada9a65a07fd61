package millrace.gateway.copy.database;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatchWithIndex;

/** Changes that are written together, or not at all. Reads see them. */
public final class RowBatch implements AutoCloseable {
    private final RocksDB database;
    private final ReadOptions options;
    final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);

    RowBatch(RocksDB database, ReadOptions options) {
        this.database = database;
        this.options = options;
    }

    /** @throws StoreException where the store cannot be read */
    public byte @Nullable [] get(RowKey key) {
        try {
            return batch.getFromBatchAndDB(database, options, key.bytes());
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    public void put(RowKey key, byte[] value) {
        try {
            batch.put(key.bytes(), value);
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    public void delete(RowKey key) {
        try {
            batch.delete(key.bytes());
        } catch (RocksDBException e) {
            throw new StoreException(e);
        }
    }

    public boolean isEmpty() {
        return batch.count() == 0;
    }

    @Override
    public void close() {
        batch.close();
    }
}
