package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.entities.EntityDictionary;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.WarehouseException;
import millrace.runtime.service.BackgroundPriority;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facts of versions, which are in their entity dictionaries. The first processor that needs a
 * dictionary builds it, on a thread of its own; the others find it in the report store.
 */
public final class VersionFacts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VersionFacts.class);
    /** For a version: an engine that cannot group its rows in time would spend that time again and again. */
    private static final int MOST_TRIES = 3;
    /** Between two tries where the file cannot be written, for example because the disk is full. */
    private static final Duration STORE_PAUSE = Duration.ofMinutes(10);

    private final ReportStore store;
    private final EntityDictionaryBuilder builder;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(BackgroundPriority.of(
            Thread.ofPlatform().daemon().name("entity-dictionary").factory()));
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    /** By dataset, what is being built or could not be built. Guards itself. */
    private final Map<String, Build> builds = new HashMap<>();

    private final AtomicBoolean built = new AtomicBoolean();
    private volatile boolean closed;

    /** @param everyName whether its dictionary lacks none */
    private record Known(String version, DatasetFacts facts, boolean everyName) {}

    /**
     * @param tries that failed at the engine
     * @param waitsFrom {@link System#nanoTime} when the store failed, null where it did not
     */
    private record Build(
            String version,
            int tries,
            boolean running,
            @Nullable Long waitsFrom) {
        boolean mayStart(String wanted) {
            boolean waits = waitsFrom != null && System.nanoTime() - waitsFrom < STORE_PAUSE.toNanos();
            return !running && (!version.equals(wanted) || (tries < MOST_TRIES && !waits));
        }

        Build ended() {
            return new Build(version, tries, false, null);
        }

        Build failedAtEngine() {
            return new Build(version, tries + 1, false, null);
        }

        Build failedAtStore() {
            return new Build(version, tries, false, System.nanoTime());
        }
    }

    public VersionFacts(ReportStore store, TableReader tables, DataVersions versions) {
        this.store = store;
        this.builder = new EntityDictionaryBuilder(store, tables, versions);
    }

    /** Whether a dictionary has been built since the last call. */
    boolean takeBuilt() {
        return built.getAndSet(false);
    }

    /**
     * The facts of a version. Where its dictionary is missing, they are empty and the dictionary is
     * built in the background, and so is one that lacks names; to be called regularly, since others may delete the file.
     */
    Optional<DatasetFacts> of(Dataset dataset, String version) {
        String file = EntityDictionary.fileName(dataset.name(), version);
        Known newest = known.get(dataset.name());
        Known last = newest != null && newest.version.equals(version) ? newest : null;
        try {
            if (last == null) {
                EntityDictionary found = EntityDictionary.open(store, file);
                last = new Known(version, found.facts(), found.hasEveryName());
                known.put(dataset.name(), last);
            }
            if (!last.everyName || !store.exists(file)) {
                startBuild(dataset, version);
            }
        } catch (NoSuchFileException e) {
            startBuild(dataset, version);
        } catch (StreamCorruptedException e) {
            LOG.warn("entity dictionary damaged, it is built again file={}", file);
            delete(file);
            startBuild(dataset, version);
        } catch (IOException | UncheckedIOException e) {
            LOG.info("entity dictionary not read, the next attempt follows file={} error={}", file, e.toString());
        }
        return Optional.ofNullable(last).map(Known::facts);
    }

    /** Ends a build without waiting for it. */
    @Override
    public void close() {
        synchronized (builds) {
            closed = true;
            thread.shutdownNow();
        }
    }

    private void startBuild(Dataset dataset, String version) {
        synchronized (builds) {
            Build last = builds.get(dataset.name());
            if (closed || (last != null && !last.mayStart(version))) {
                return;
            }
            int tries = last == null || !last.version.equals(version) ? 0 : last.tries;
            var build = new Build(version, tries, true, null);
            builds.put(dataset.name(), build);
            thread.execute(() -> {
                Build after = run(dataset, build);
                synchronized (builds) {
                    builds.put(dataset.name(), after);
                }
            });
        }
    }

    private Build run(Dataset dataset, Build build) {
        String version = build.version;
        long start = System.nanoTime();
        try {
            DatasetFacts facts = builder.build(dataset, version);
            known.put(dataset.name(), new Known(version, facts, true));
            LOG.info(
                    "entity dictionary built dataset={} version={} entities={} millis={}",
                    dataset.name(),
                    version,
                    facts.entityCount(),
                    (System.nanoTime() - start) / 1_000_000);
            built.set(true);
            return build.ended();
        } catch (IOException e) {
            log(dataset, version, e);
            return build.failedAtStore();
        } catch (WarehouseException | RuntimeException e) {
            log(dataset, version, e);
            return build.failedAtEngine();
        }
    }

    private void log(Dataset dataset, String version, Exception e) {
        if (!closed) {
            LOG.warn(
                    "entity dictionary not built dataset={} version={} error={}",
                    dataset.name(),
                    version,
                    e.toString());
        }
    }

    private void delete(String file) {
        try {
            store.delete(file);
        } catch (IOException e) {
            LOG.info("damaged file not deleted file={} error={}", file, e.toString());
        }
    }
}
