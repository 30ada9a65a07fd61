package millrace.processor.warehouse;

/** An engine that reads the rows of slices. Thread-safe. */
public interface Warehouse extends AutoCloseable {

    /**
     * Opens the rows of a slice; the caller closes the stream.
     *
     * @throws WarehouseException where the version cannot be read or does not fit the catalog
     */
    RowStream open(SliceQuery query) throws WarehouseException;

    /** Releases deleted versions that no query reads. To be called regularly. */
    default void releaseDeleted() {}

    /** To be called after {@link WarehouseException.Reason#NOT_SORTED}; then the slice can be opened again. */
    default void notSorted(SliceQuery query) {}

    @Override
    void close();
}
