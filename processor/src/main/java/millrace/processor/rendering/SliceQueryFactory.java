package millrace.processor.rendering;

import java.io.IOException;
import java.util.TreeMap;
import java.util.function.Consumer;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.requests.EntityRange;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.files.EntityLists;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;

/** Makes queries of tasks. Lists that are too long for a task are read from the store. */
final class SliceQueryFactory {
    private final Catalog catalog;
    private final ReportStore store;
    private final Consumer<ReportQuery> undeclared;

    /** @param undeclared hears of queries whose dataset or metrics the catalog does not have */
    SliceQueryFactory(Catalog catalog, ReportStore store, Consumer<ReportQuery> undeclared) {
        this.catalog = catalog;
        this.store = store;
        this.undeclared = undeclared;
    }

    /** @throws WarehouseException where the catalog does not have the dataset or its metrics any more */
    SliceQuery query(RenderSlice task) throws WarehouseException, IOException {
        Dataset dataset = dataset(task.query());
        ReportQuery filtered = withFilters(task);
        EntityRange range = task.range();
        return range == null
                ? SliceQuery.of(dataset, filtered, task.dataVersion())
                : SliceQuery.of(dataset, filtered.withEntities(EntityLists.read(store, range)), task.dataVersion())
                        .ofMany();
    }

    private Dataset dataset(ReportQuery query) throws WarehouseException {
        Dataset dataset =
                catalog.dataset(query.dataset()).orElseThrow(() -> undeclared(query, "dataset " + query.dataset()));
        for (String metric : query.metrics()) {
            if (dataset.metric(metric).isEmpty()) {
                throw undeclared(query, "metric " + metric + " of dataset " + query.dataset());
            }
        }
        return dataset;
    }

    private WarehouseException undeclared(ReportQuery query, String what) {
        undeclared.accept(query);
        return new WarehouseException(Reason.MISSING, "the processor's catalog has no " + what);
    }

    /** The query with all values of its filters. */
    private ReportQuery withFilters(RenderSlice task) throws IOException {
        ReportQuery query = task.query();
        if (query.filterLists() == null) {
            return query;
        }
        var filters = new TreeMap<>(query.filters());
        for (var list : query.filterLists().entrySet()) {
            String file = FilterList.fileName(task.accountId(), task.slice().reportId(), list.getKey());
            filters.put(list.getKey(), EntityLists.read(store, file, list.getValue()));
        }
        return query.withFilters(filters, null);
    }
}
