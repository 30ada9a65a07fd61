package millrace.gateway.copy.database;

import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The store cannot be read or written. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean damaged;

    StoreException(RocksDBException cause) {
        super(String.valueOf(cause.getMessage()), cause);
        this.damaged = isDamage(cause);
    }

    /** @param damaged whether it has to be built again */
    public StoreException(String message, boolean damaged) {
        super(message);
        this.damaged = damaged;
    }

    /** Whether its files are damaged: it will not be otherwise the next time. */
    public boolean damaged() {
        return damaged;
    }

    private static boolean isDamage(RocksDBException e) {
        Status status = e.getStatus();
        return status != null
                && switch (status.getCode()) {
                    case Corruption, NotSupported, InvalidArgument -> true;
                    // A file is missing, which RocksDB reports like any other error of the disk.
                    case IOError -> String.valueOf(e.getMessage()).contains("No such file");
                    default -> false;
                };
    }
}
