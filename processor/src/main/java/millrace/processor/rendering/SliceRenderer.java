package millrace.processor.rendering;

import java.io.IOException;
import millrace.catalog.Catalog;
import millrace.catalog.Dataset;
import millrace.contracts.EntityRange;
import millrace.contracts.RenderTask.RenderSlice;
import millrace.contracts.ReportQuery;
import millrace.files.EntityLists;
import millrace.files.ReportStore;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;

/** Turns slices into CSV files. */
public final class SliceRenderer {
    private final Catalog catalog;
    private final Warehouse warehouse;
    private final ReportStore store;

    public SliceRenderer(Catalog catalog, Warehouse warehouse, ReportStore store) {
        this.catalog = catalog;
        this.warehouse = warehouse;
        this.store = store;
    }

    /**
     * Prepares a rendering; {@link Rendering#run()} does it.
     *
     * @param fileName of the file that it makes
     */
    public Rendering rendering(RenderSlice task, String fileName) {
        return new Rendering(this, task, fileName);
    }

    Warehouse warehouse() {
        return warehouse;
    }

    ReportStore store() {
        return store;
    }

    SliceQuery query(RenderSlice task) throws WarehouseException, IOException {
        ReportQuery query = task.query();
        Dataset dataset = catalog.dataset(query.dataset())
                .orElseThrow(() -> new WarehouseException(
                        Reason.UNAVAILABLE, "the catalog has no dataset " + query.dataset() + " any more"));
        for (String metric : query.metrics()) {
            if (dataset.metric(metric).isEmpty()) {
                throw new WarehouseException(
                        Reason.UNAVAILABLE, "dataset " + query.dataset() + " has no metric " + metric + " any more");
            }
        }
        EntityRange range = task.range();
        return range == null
                ? SliceQuery.of(dataset, query, task.dataVersion())
                : SliceQuery.of(dataset, query.withEntities(EntityLists.read(store, range)), task.dataVersion())
                        .ofMany();
    }
}
