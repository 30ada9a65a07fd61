package millrace.gateway.api.datasets;

import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import millrace.files.entities.EntityDictionary;

/**
 * Keeps the blocks of entity dictionaries that were used last, up to a number of bytes, and reads
 * others in the background. A block that several ask for is read once. Thread-safe.
 */
final class BlockCache {
    private final long mostBytes;
    private final Executor readers;
    /** In the order of their last use. */
    private final Map<Key, byte[]> blocks = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Key, CompletableFuture<byte[]>> reading = new HashMap<>();
    private long bytes;

    /** @param readers run what reads a block; may reject it */
    BlockCache(long mostBytes, Executor readers) {
        this.mostBytes = mostBytes;
        this.readers = readers;
    }

    private record Key(EntityDictionary dictionary, int block) {}

    /** The block, at once where it is in memory. Fails with an {@link IOException} where it cannot be read. */
    CompletableFuture<byte[]> get(EntityDictionary dictionary, int block) {
        var key = new Key(dictionary, block);
        var read = new CompletableFuture<byte[]>();
        synchronized (this) {
            byte[] known = blocks.get(key);
            if (known != null) {
                return CompletableFuture.completedFuture(known);
            }
            CompletableFuture<byte[]> running = reading.putIfAbsent(key, read);
            if (running != null) {
                return running;
            }
        }
        try {
            readers.execute(() -> read(key, read));
        } catch (RejectedExecutionException e) {
            fail(key, read, new IOException("too many blocks of entity dictionaries are being read", e));
        }
        return read;
    }

    /** Adds a block that was read for no particular reader. */
    synchronized void put(EntityDictionary dictionary, int block, byte[] content) {
        byte[] before = blocks.put(new Key(dictionary, block), content);
        bytes += content.length - (before == null ? 0 : before.length);
        Iterator<byte[]> oldest = blocks.values().iterator();
        while (bytes > mostBytes) {
            bytes -= oldest.next().length;
            oldest.remove();
        }
    }

    /** Whether so many bytes fit without removing others. */
    synchronized boolean hasRoom(long more) {
        return bytes + more <= mostBytes;
    }

    /** Removes the blocks of a dictionary that is not used any more. */
    synchronized void remove(EntityDictionary dictionary) {
        blocks.entrySet().removeIf(entry -> {
            boolean gone = entry.getKey().dictionary == dictionary;
            bytes -= gone ? entry.getValue().length : 0;
            return gone;
        });
    }

    /** Size of the blocks in memory. */
    synchronized long bytes() {
        return bytes;
    }

    private void read(Key key, CompletableFuture<byte[]> read) {
        try {
            byte[] content = key.dictionary.read(key.block);
            synchronized (this) {
                put(key.dictionary, key.block, content);
                reading.remove(key);
            }
            read.complete(content);
        } catch (IOException | RuntimeException e) {
            fail(key, read, e);
        }
    }

    private void fail(Key key, CompletableFuture<byte[]> read, Exception error) {
        synchronized (this) {
            reading.remove(key);
        }
        read.completeExceptionally(error);
    }
}
