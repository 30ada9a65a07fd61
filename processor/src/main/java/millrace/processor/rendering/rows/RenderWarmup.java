package millrace.processor.rendering.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.files.disk.DiskReportStore;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renders a made-up slice of each dataset and discards it, before the first real slice. A started processor opens the
 * data and loads its code by that, and not while clients wait for slices that it has taken over.
 */
public final class RenderWarmup {
    private static final Logger LOG = LoggerFactory.getLogger(RenderWarmup.class);
    private static final String FILE = "warmup/slice.csv";
    /** A day that begins both a week and a month. */
    private static final LocalDate PERIOD = LocalDate.of(2024, 1, 1);

    private final DataVersions versions;
    private final SliceRenderer renderer;
    private final DiskReportStore store;

    private RenderWarmup(DataVersions versions, SliceRenderer renderer, DiskReportStore store) {
        this.versions = versions;
        this.renderer = renderer;
        this.store = store;
    }

    /**
     * Runs the warm-up, which takes less than a second where the data are on this machine. Errors are logged only.
     *
     * @param folder for temporary files
     * @return the number of datasets whose slice was rendered
     */
    public static int run(Catalog catalog, Warehouse warehouse, DataVersions versions, Path folder) {
        try (var store = new DiskReportStore(folder, false);
                var parquet = new ParquetFiles(folder)) {
            var renderer = new SliceRenderer(catalog, warehouse, store, parquet);
            var warmup = new RenderWarmup(versions, renderer, store);
            int rendered = 0;
            for (Dataset dataset : catalog.datasets()) {
                rendered += warmup.once(dataset) ? 1 : 0;
            }
            return rendered;
        } catch (IOException | RuntimeException e) {
            LOG.warn("warm-up failed, the first slice will be slower", e);
            return 0;
        }
    }

    /** Returns false where the dataset has no data. */
    private boolean once(Dataset dataset) throws IOException {
        String version = versions.current(dataset.name()).orElse(null);
        if (version == null) {
            return false;
        }
        try {
            var unused = renderer.render(slice(dataset, version), FILE, new RunningSlice());
            return true;
        } catch (WarehouseException e) {
            LOG.debug("dataset left out of the warm-up dataset={} error={}", dataset.name(), e.getMessage());
            return false;
        } finally {
            store.delete(FILE);
        }
    }

    private RenderSlice slice(Dataset dataset, String version) {
        DatasetMetric metric = dataset.metrics().getFirst();
        Granularity granularity = metric.granularities().iterator().next();
        var query = new ReportQuery(
                dataset.name(),
                List.of("warmup.example"),
                List.of("US"),
                List.of(metric.name()),
                new ReportQuery.Dates(granularity, PERIOD, PERIOD),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return new RenderSlice(
                "warmup",
                new SliceRef(new UUID(0, 1), 1, 0, 1),
                query,
                version,
                dataset.countsRevealed(query),
                null,
                true);
    }
}
