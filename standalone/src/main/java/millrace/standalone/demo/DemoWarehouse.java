package millrace.standalone.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

/**
 * Fills a warehouse with generated but plausible figures for every dataset and metric: 512 sites,
 * 2,011 keywords, 20 countries and WW, 36 months, 26 weeks, 60 days. Seed and last day determine
 * every figure. Takes some 20 s and 300 MB.
 */
public final class DemoWarehouse {
    /**
     * Share of the work by dataset; the longest first, because two are written at the same time.
     */
    private static final Map<String, Double> WORK = new LinkedHashMap<>();

    static {
        WORK.put("site_keywords", 0.34);
        WORK.put("traffic_and_engagement", 0.30);
        WORK.put("demographics", 0.16);
        WORK.put("audience_interests", 0.12);
        WORK.put("keywords", 0.08);
    }

    private final WarehouseFolder folder;
    private final DemoData data;
    /** Exists until all datasets are current. */
    private final Path unfinished;

    public DemoWarehouse(Path root, DemoData data) {
        this.folder = new WarehouseFolder(root, InstantSource.system());
        this.data = data;
        this.unfinished = root.resolve(".unfinished");
    }

    /** Reports the progress. Called by several threads, one at a time. */
    public interface Progress {
        /**
         * @param fraction of all the work, from 0 to 1, never less than before
         * @param dataset the one that has progressed
         */
        void at(double fraction, String dataset);
    }

    /** The datasets that it fills. */
    public static List<String> datasets() {
        return List.copyOf(WORK.keySet());
    }

    /**
     * Whether any dataset has data, generated or the operator's own. Then nothing is generated,
     * since generated figures must not appear beside the operator's data.
     */
    public boolean isFilled() {
        return !Files.exists(unfinished) && WORK.keySet().stream().anyMatch(folder::hasCurrent);
    }

    /**
     * Writes all files and then makes them current where a dataset has no data. Starts again at the
     * next run where it is interrupted.
     */
    public void generate(Progress progress) throws IOException, InterruptedException {
        var total = new TotalProgress(progress);
        deleteAll(unfinished);
        Files.createDirectories(unfinished);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> running = new ArrayList<>();
            for (String dataset : WORK.keySet()) {
                running.add(threads.submit(() -> {
                    Path file = unfinished.resolve(dataset + ".duckdb");
                    new DemoDataset(dataset, data).write(file, fraction -> total.update(dataset, fraction));
                    return file;
                }));
            }
            await(running, threads);
        }
        for (String dataset : WORK.keySet()) {
            folder.publish(unfinished.resolve(dataset + ".duckdb"), dataset, data.version());
        }
        for (String dataset : WORK.keySet()) {
            if (!folder.hasCurrent(dataset)) {
                folder.switchTo(dataset, data.version());
            }
        }
        deleteAll(unfinished);
    }

    private static void await(List<Future<?>> running, ExecutorService threads)
            throws IOException, InterruptedException {
        try {
            for (Future<?> dataset : running) {
                dataset.get();
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(
                    "the demo warehouse cannot be written: "
                            + (cause instanceof SQLException ? cause.getMessage() : cause),
                    cause);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.sorted(java.util.Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    /** Adds up the progress of the datasets. */
    private static final class TotalProgress {
        private final Map<String, Double> fractions = new LinkedHashMap<>();
        private final Progress progress;

        TotalProgress(Progress progress) {
            this.progress = progress;
        }

        synchronized void update(String dataset, double fraction) {
            fractions.put(dataset, fraction * WORK.getOrDefault(dataset, 0.0));
            double all = fractions.values().stream().mapToDouble(f -> f).sum();
            progress.at(Math.min(1, all), dataset);
        }
    }
}
