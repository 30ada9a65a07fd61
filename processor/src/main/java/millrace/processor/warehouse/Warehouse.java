package millrace.processor.warehouse;

/** An engine that holds the data. Several threads may use it. */
public interface Warehouse extends AutoCloseable {

    /** @throws WarehouseException where the version cannot be read or does not fit the catalog */
    RowStream open(SliceQuery query) throws WarehouseException;

    @Override
    void close();
}
