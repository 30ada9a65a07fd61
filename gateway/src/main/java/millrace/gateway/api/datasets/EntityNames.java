package millrace.gateway.api.datasets;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import millrace.contracts.requests.DatasetExample;
import millrace.files.entities.EntityDictionary;
import millrace.files.entities.MissingNames;
import millrace.files.store.ReportStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of the entities in the current version of each dataset, from the entity dictionaries
 * that processors write into the report store. Reads them in the background and keeps what was used
 * last; a small dictionary is read as a whole when it is published. Thread-safe.
 */
@Singleton
public final class EntityNames implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntityNames.class);

    private static final long CACHE_BYTES = 16L * 1024 * 1024;
    /** Blocks that are then read with one request, about 1 MiB. */
    private static final int BLOCKS_AT_ONCE = 256;

    static final int READERS = 8;
    static final int WAITING_READS = 256;
    /** Blocks that are read at the same time for one list of names. */
    private static final int READ_AHEAD = 64;
    /** Names of a long list that blocks are read ahead for. */
    private static final int NAMES_AHEAD = 10_000;
    /** How long one list is looked up at most, also where all blocks are in memory. */
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(1);

    private static final Duration IDLE = Duration.ofSeconds(30);
    /** How long reports do not wait after a read that failed or came too late, and until a file is opened again. */
    private static final Duration PAUSE = Duration.ofSeconds(5);
    /** Until a dictionary of an earlier build is opened again, since a processor writes it anew. */
    private static final Duration UNTIL_WHOLE = Duration.ofMinutes(1);

    private final ReportStore store;
    /** Largest dictionary that is read as a whole. */
    private final long smallBytes;

    private final Duration pause;
    private final ThreadPoolExecutor readers;
    private final BlockCache cache;
    private final Map<String, Opened> dictionaries = new ConcurrentHashMap<>();
    private volatile long pausedAt;

    @Inject
    EntityNames(ReportStore store) {
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

    /**
     * What a version has of the names that were looked up.
     *
     * @param whole whether one that is missing has no rows
     */
    record Lookup(String version, boolean whole, MissingNames names) {}

    /** There are more names than can be looked up. That is not the storage's fault. */
    private static final class LongSearchException extends IOException {
        private static final long serialVersionUID = 1;

        LongSearchException() {
            super("there are too many names");
        }
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
     * @param wanted others are passed over
     * @throws IOException where the names are not known yet, or cannot be read in this time
     */
    List<String> startingWith(String dataset, String prefix, Predicate<String> wanted, int most, Duration wait)
            throws IOException {
        Opened opened = dictionaries.get(dataset);
        if (opened == null) {
            throw new IOException("the entities of " + dataset + " are not known yet");
        }
        return search(
                dataset, opened, wait, (dictionary, blocks) -> dictionary.startingWith(prefix, wanted, most, blocks));
    }

    /**
     * Looks names up until that is done or the time is over. Empty where not even the first one could be looked up.
     *
     * @param sorted by UTF-8 bytes
     * @param shown how many of the missing names are returned
     */
    Optional<Lookup> look(String dataset, Iterable<String> sorted, int shown, Duration wait) {
        Opened opened = dictionaries.get(dataset);
        if (opened == null) {
            return Optional.empty();
        }
        var missing = new MissingNames(shown);
        try {
            return search(dataset, opened, wait, (dictionary, blocks) -> {
                readAhead(dictionary, sorted);
                dictionary.look(sorted, missing, blocks);
                return Optional.of(new Lookup(opened.version, dictionary.hasEveryName(), missing));
            });
        } catch (IOException e) {
            LOG.debug("entities not looked up dataset={} error={}", dataset, e.getMessage());
            return missing.checked() == 0
                    ? Optional.empty()
                    : Optional.of(
                            new Lookup(opened.version, opened.dictionary.join().hasEveryName(), missing));
        }
    }

    /** Whether a read has failed or come too late a moment ago. Then waiting is most likely in vain. */
    boolean paused() {
        return System.nanoTime() - pausedAt < pause.toNanos();
    }

    @Override
    @PreDestroy
    public void close() {
        readers.shutdownNow();
    }

    private <T> T search(String dataset, Opened opened, Duration wait, Search<T> search) throws IOException {
        long start = System.nanoTime();
        long deadline = start + wait.toNanos();
        try {
            EntityDictionary dictionary = await(opened.dictionary, deadline);
            if (!dictionary.hasEveryName() && start - opened.openedAt >= UNTIL_WHOLE.toNanos()) {
                cache.remove(dictionary);
                dictionaries.replace(dataset, opened, open(dataset, opened.version));
            }
            return search.in(dictionary, block -> {
                if (System.nanoTime() - start >= LONGEST_SEARCH.toNanos()) {
                    throw new LongSearchException();
                }
                return await(cache.get(dictionary, block), deadline);
            });
        } catch (LongSearchException e) {
            throw e;
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

    private void readAhead(EntityDictionary dictionary, Iterable<String> sorted) {
        int names = 0;
        int blocks = dictionary.blocks() == 0 ? READ_AHEAD : 0;
        int last = -1;
        Iterator<String> each = sorted.iterator();
        while (each.hasNext() && blocks < READ_AHEAD && names < NAMES_AHEAD) {
            int block = dictionary.blockOf(each.next());
            names++;
            if (block != last) {
                var unused = cache.get(dictionary, block);
                blocks++;
                last = block;
            }
        }
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
