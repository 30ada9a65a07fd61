package millrace.gateway.copy.database;

import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** The rows of a range, as they were when it was opened, one after the other. */
public final class Rows implements AutoCloseable {
    private final Slice lower;
    private final Slice upper;
    private final ReadOptions options;
    private final RocksIterator iterator;
    private final boolean backwards;

    /** @param to exclusive */
    Rows(RocksDB database, byte[] from, byte[] to, boolean backwards) {
        this.lower = new Slice(from);
        this.upper = new Slice(to);
        this.options = new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper);
        this.iterator = database.newIterator(options);
        this.backwards = backwards;
        if (backwards) {
            iterator.seekToLast();
        } else {
            iterator.seekToFirst();
        }
    }

    /**
     * Whether there is a row here.
     *
     * @throws StoreException where the store cannot be read
     */
    public boolean present() {
        boolean valid = iterator.isValid();
        if (!valid) {
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw new StoreException(e);
            }
        }
        return valid;
    }

    public byte[] key() {
        return iterator.key();
    }

    public byte[] value() {
        return iterator.value();
    }

    public void next() {
        if (backwards) {
            iterator.prev();
        } else {
            iterator.next();
        }
    }

    /** Goes past all rows whose keys begin so. Forwards only. */
    public void skip(byte[] prefix) {
        iterator.seek(RowKey.end(prefix));
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        lower.close();
        upper.close();
    }
}
