package millrace.processor.warehouse;

/** An engine that holds the data. Several threads may use it. */
public interface Warehouse extends AutoCloseable {

    /** @throws WarehouseException where the version cannot be read or does not fit the catalog */
    RowStream open(SliceQuery query) throws WarehouseException;

    /** Lets go of versions that are gone and that no query reads. To be called every now and then. */
    default void releaseDeleted() {}

    /** To be told after {@link WarehouseException.Reason#NOT_SORTED}; the slice can be opened again then. */
    default void notSorted(SliceQuery query) {}

    @Override
    void close();
}
