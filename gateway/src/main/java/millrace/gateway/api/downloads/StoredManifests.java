package millrace.gateway.api.downloads;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.StoredFile;
import millrace.files.store.ReportStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests from the store, a few at once, and keeps those that were used last: each request for a range of a file
 * asks for one, and they never change. Safe for use by many threads.
 */
@Singleton
final class StoredManifests {
    /** As stored bytes; some 13 of 1,000 files. */
    static final long KEPT_BYTES = 4L << 20;

    private static final int AT_ONCE = 4;
    private static final int TIMEOUT_SECONDS = 10;

    private final ReportStore store;
    private final Semaphore reads = new Semaphore(AT_ONCE, true);
    /** By the file's name, the one that was used longest ago first. */
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    StoredManifests(ReportStore store) {
        this.store = store;
    }

    private record Kept(ReportManifest manifest, long size) {}

    /** As {@link #read}, but the file may have been deleted meanwhile. For whoever opens one of its files then. */
    ReportManifest known(StoredFile file) throws IOException {
        ReportManifest found = find(file.name());
        return found == null ? read(file) : found;
    }

    /**
     * The manifest in this file.
     *
     * @throws java.nio.file.NoSuchFileException if the file is deleted
     * @throws IOException if the storage cannot be reached, or too many are being read for long
     */
    ReportManifest read(StoredFile file) throws IOException {
        acquire();
        try {
            byte[] json = store.read(file.name(), 0, Math.toIntExact(file.size()));
            ReportManifest manifest = Json.MAPPER.readValue(json, ReportManifest.class);
            keep(file.name(), new Kept(manifest, json.length));
            return manifest;
        } finally {
            reads.release();
        }
    }

    private void acquire() throws IOException {
        try {
            if (!reads.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(
                        "too many manifests are being read: none was done within " + TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting to read a manifest");
        }
    }

    private synchronized @Nullable ReportManifest find(String name) {
        Kept found = kept.get(name);
        return found == null ? null : found.manifest();
    }

    private synchronized void keep(String name, Kept manifest) {
        Kept before = kept.put(name, manifest);
        bytes += manifest.size() - (before == null ? 0 : before.size());
        Iterator<Kept> oldest = kept.values().iterator();
        while (bytes > KEPT_BYTES) {
            bytes -= oldest.next().size();
            oldest.remove();
        }
    }
}
