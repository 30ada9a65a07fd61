package millrace.gateway.datasets;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.contracts.requests.DatasetExample;
import millrace.files.entities.EntityDictionary;
import millrace.files.store.ReportStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of the entities in the current version of each dataset, from the entity dictionaries
 * that processors write into the report store. Reads them in the background and keeps what was used
 * last; a small dictionary is read as a whole when it is published. Thread-safe.
 */
public final class EntityNames implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntityNames.class);

    private static final long CACHE_BYTES = 16L * 1024 * 1024;
    /** Blocks that are then read with one request, about 1 MiB. */
    private static final int BLOCKS_AT_ONCE = 256;

    static final int READERS = 8;
    static final int WAITING_READS = 256;
    /** Blocks that are read at the same time for one list of names. */
    private static final int READ_AHEAD = 64;

    private static final Duration IDLE = Duration.ofSeconds(30);
    /** How long reports do not wait after a read that failed or came too late, and until a file is opened again. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final ReportStore store;
    /** Largest dictionary that is read as a whole. */
    private final long smallBytes;

    private final Duration pause;
    private final ThreadPoolExecutor readers;
    private final BlockCache cache;
    private final Map<String, Opened> dictionaries = new ConcurrentHashMap<>();
    private volatile long pausedAt;

    public EntityNames(ReportStore store) {
        this(store, CACHE_BYTES, PAUSE);
    }

    EntityNames(ReportStore store, long cacheBytes, Duration pause) {
        this.store = store;
        this.smallBytes = cacheBytes / 2;
        this.pause = pause;
        this.pausedAt = System.nanoTime() - pause.toNanos();
        this.readers = new ThreadPoolExecutor(
                READERS,
                READERS,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_READS),
                Thread.ofPlatform().daemon().name("entity-names-", 0).factory());
        readers.allowCoreThreadTimeOut(true);
        this.cache = new BlockCache(cacheBytes, readers);
    }

    /** @param openedAt {@link System#nanoTime} when that began */
    private record Opened(String version, CompletableFuture<EntityDictionary> dictionary, long openedAt) {}

    private interface Search<T> {
        T in(EntityDictionary dictionary, EntityDictionary.Blocks blocks) throws IOException;
    }

    /** Takes the dictionary of a version into use, in the background, or that of none. */
    public void published(DatasetExample example) {
        Opened before = dictionaries.get(example.dataset());
        if (example.facts() == null) {
            dictionaries.remove(example.dataset());
        } else if (before == null
                || !before.version.equals(example.version())
                || before.dictionary.isCompletedExceptionally()) {
            dictionaries.put(example.dataset(), open(example.dataset(), example.version()));
        } else {
            return;
        }
        if (before != null) {
            var unused = before.dictionary.thenAccept(cache::remove);
        }
    }

    /**
     * The first names with the prefix in the order of UTF-8 bytes.
     *
     * @throws IOException where the names are not known yet, or cannot be read in this time
     */
    List<String> startingWith(String dataset, String prefix, int most, Duration wait) throws IOException {
        return search(dataset, wait, (dictionary, blocks) -> dictionary.startingWith(prefix, most, blocks));
    }

    /**
     * Which of the names are missing.
     *
     * @param sorted by UTF-8 bytes
     * @param shown how many missing names are returned
     * @throws IOException where the names are not known yet, or cannot be read in this time
     */
    EntityDictionary.Missing missing(String dataset, List<String> sorted, int shown, Duration wait) throws IOException {
        return search(dataset, wait, (dictionary, blocks) -> {
            sorted.stream()
                    .mapToInt(dictionary::blockOf)
                    .distinct()
                    .limit(dictionary.blocks() == 0 ? 0 : READ_AHEAD)
                    .forEach(block -> readAhead(dictionary, block));
            return dictionary.missing(sorted, shown, blocks);
        });
    }

    /** Whether a read has failed or come too late a moment ago. Then waiting is most likely in vain. */
    boolean paused() {
        return System.nanoTime() - pausedAt < pause.toNanos();
    }

    @Override
    public void close() {
        readers.shutdownNow();
    }

    private <T> T search(String dataset, Duration wait, Search<T> search) throws IOException {
        long deadline = System.nanoTime() + wait.toNanos();
        Opened opened = dictionaries.get(dataset);
        if (opened == null) {
            throw new IOException("the entities of " + dataset + " are not known yet");
        }
        try {
            EntityDictionary dictionary = await(opened.dictionary, deadline);
            return search.in(dictionary, block -> await(cache.get(dictionary, block), deadline));
        } catch (IOException e) {
            long now = System.nanoTime();
            if (!wait.isZero()) {
                pausedAt = now;
            }
            // A file that was deleted or is damaged is written again by a processor.
            boolean again = e.getCause() instanceof IOException || opened.dictionary.isCompletedExceptionally();
            if (again && now - opened.openedAt >= pause.toNanos()) {
                dictionaries.replace(dataset, opened, open(dataset, opened.version));
            }
            throw e;
        }
    }

    private Opened open(String dataset, String version) {
        var dictionary = new CompletableFuture<EntityDictionary>();
        try {
            readers.execute(() -> {
                try {
                    EntityDictionary opened = EntityDictionary.open(store, EntityDictionary.fileName(dataset, version));
                    dictionary.complete(opened);
                    readWhereSmall(opened);
                } catch (IOException | RuntimeException e) {
                    dictionary.completeExceptionally(e);
                    LOG.info("entities not read dataset={} version={} error={}", dataset, version, e.toString());
                }
            });
        } catch (RejectedExecutionException e) {
            dictionary.completeExceptionally(e);
        }
        return new Opened(version, dictionary, System.nanoTime());
    }

    private void readWhereSmall(EntityDictionary dictionary) throws IOException {
        if (dictionary.bytes() > smallBytes || !cache.hasRoom(dictionary.bytes())) {
            return;
        }
        for (int first = 0; first < dictionary.blocks(); first += BLOCKS_AT_ONCE) {
            List<byte[]> blocks = dictionary.read(first, Math.min(BLOCKS_AT_ONCE, dictionary.blocks() - first));
            for (int i = 0; i < blocks.size(); i++) {
                cache.put(dictionary, first + i, blocks.get(i));
            }
        }
    }

    private void readAhead(EntityDictionary dictionary, int block) {
        var unused = cache.get(dictionary, block);
    }

    private static <T> T await(CompletableFuture<T> future, long deadline) throws IOException {
        try {
            return future.isDone()
                    ? future.get()
                    : future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the entities cannot be read: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("the entities were not read in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
