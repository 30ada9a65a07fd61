package millrace.processor.rendering.rows;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.report.ReportLayout;
import millrace.catalog.text.SortedTextSet;
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
        Map<String, SortedTextSet> longFilters = longFilters(task);
        ReportQuery query = withShortLists(task);
        EntityRange range = task.range();
        return range == null
                ? SliceQuery.of(dataset, query, task.dataVersion(), longFilters)
                : SliceQuery.of(
                                dataset,
                                query.withEntities(EntityLists.read(store, range)),
                                task.dataVersion(),
                                longFilters)
                        .ofMany();
    }

    /** The columns of a query's file. Throws as {@link #query}. */
    ReportLayout layout(ReportQuery query) throws WarehouseException {
        return ReportLayout.of(dataset(query), query);
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

    /** The lists that are too long for the engine, as bytes: texts of them would take ten times as much memory. */
    private Map<String, SortedTextSet> longFilters(RenderSlice task) throws IOException {
        var texts = new TreeMap<String, SortedTextSet>();
        for (var list : lists(task).entrySet()) {
            int count = list.getValue().count();
            if (SliceQuery.isLong(count)) {
                try (InputStream file = EntityLists.bytes(store, file(task, list.getKey()), list.getValue())) {
                    texts.put(list.getKey(), SortedTextSet.read(file, count));
                }
            }
        }
        return texts;
    }

    /** The query with all values of the other lists. Those that are too long keep their list. */
    private ReportQuery withShortLists(RenderSlice task) throws IOException {
        var filters = new TreeMap<>(task.query().filters());
        var left = new TreeMap<String, FilterList>();
        for (var list : lists(task).entrySet()) {
            if (SliceQuery.isLong(list.getValue().count())) {
                left.put(list.getKey(), list.getValue());
            } else {
                filters.put(list.getKey(), EntityLists.read(store, file(task, list.getKey()), list.getValue()));
            }
        }
        return task.query().withFilters(filters, left.isEmpty() ? null : left);
    }

    private static Map<String, FilterList> lists(RenderSlice task) {
        return Objects.requireNonNullElse(task.query().filterLists(), Map.of());
    }

    private static String file(RenderSlice task, String column) {
        return FilterList.fileName(task.accountId(), task.slice().reportId(), column);
    }
}
