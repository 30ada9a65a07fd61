package millrace.gateway.copy.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that is a copy of topics, in a folder of this process alone. It is emptied where it is damaged or does not
 * fit the topics, and closed only while nobody uses it. Safe for use by many threads.
 */
public final class LocalStore implements AutoCloseable {
    /** Name: the form and the topics of the rows; stores may keep more there. */
    public static final RowTable META = () -> 1;

    private static final Logger LOG = LoggerFactory.getLogger(LocalStore.class);
    private static final String FORM = "form";
    private static final String TOPICS = "topics";

    private final Path folder;
    private final FileChannel lockFile;
    private final LocalDatabase.Bounds bounds;

    /** Whoever uses the database holds the read lock, so that it is not closed meanwhile. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private @Nullable LocalDatabase database;
    private volatile @Nullable StoreException damage;

    private LocalStore(Path folder, FileChannel lockFile, LocalDatabase.Bounds bounds) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.bounds = bounds;
    }

    /**
     * Reserves the folder for this process.
     *
     * @param setting that names the folder
     * @throws SettingsException where the folder cannot be written or another process holds it; its
     *     message is one line
     */
    public static LocalStore in(Path folder, String setting, LocalDatabase.Bounds bounds) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locked(channel)) {
                channel.close();
                throw new SettingsException(setting + ": " + folder.toAbsolutePath()
                        + " is used by another process; each gateway needs a folder of its own");
            }
            return new LocalStore(folder, channel, bounds);
        } catch (IOException e) {
            throw new SettingsException(setting + ": " + folder.toAbsolutePath() + " cannot be written: " + e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /**
     * What the rows are of.
     *
     * @param form of keys and values; another build's rows of another form cannot be read
     * @param topics differs from that of other topics of the same names
     */
    public record Identity(int form, String topics) {}

    /** Whether rows of the same form and topics can be gone on from. */
    @FunctionalInterface
    public interface Fit {
        /** Why they cannot, or null. */
        @Nullable
        String unfit(LocalDatabase opened);
    }

    /**
     * Opens the database, and empties it where it is damaged or does not fit.
     *
     * @return why it was emptied, or null
     * @throws StoreException where it cannot be opened
     * @throws IOException where a database that does not fit cannot be deleted
     */
    public @Nullable String open(Identity identity, Fit fit) throws IOException {
        lock.writeLock().lock();
        try {
            closeDatabase();
            StoreException damaged = damage;
            String unfit = damaged == null ? openAsItIs(identity, fit) : String.valueOf(damaged.getMessage());
            if (unfit != null) {
                closeDatabase();
                LocalDatabase.delete(files());
                damage = null;
                database = empty(identity);
            }
            return unfit;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns why what was opened cannot be gone on from, or null. */
    private @Nullable String openAsItIs(Identity identity, Fit fit) {
        try {
            LocalDatabase opened = LocalDatabase.open(files(), bounds);
            database = opened;
            return unfit(opened, identity, fit);
        } catch (StoreException e) {
            if (!e.damaged()) {
                closeDatabase();
                throw e;
            }
            return String.valueOf(e.getMessage());
        }
    }

    private LocalDatabase empty(Identity identity) {
        LocalDatabase opened = LocalDatabase.open(files(), bounds);
        try (RowBatch batch = opened.batch()) {
            batch.put(metaKey(FORM), text(Integer.toString(identity.form())));
            batch.put(metaKey(TOPICS), text(identity.topics()));
            opened.write(batch);
        } catch (StoreException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private static @Nullable String unfit(LocalDatabase opened, Identity identity, Fit fit) {
        byte[] form = opened.get(metaKey(FORM));
        byte[] topics = opened.get(metaKey(TOPICS));
        if (form == null || topics == null) {
            return "there is none";
        }
        if (!text(form).equals(Integer.toString(identity.form()))) {
            return "it has form " + text(form) + ", and this build reads " + identity.form();
        }
        return text(topics).equals(identity.topics()) ? fit.unfit(opened) : "it is of other topics";
    }

    /**
     * Uses the database, which stays open until the work is done.
     *
     * @throws StoreException where it is closed, damaged, or cannot be read or written
     */
    public <T> T use(Function<LocalDatabase, T> work) {
        lock.readLock().lock();
        try {
            return opened(work);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** The same, of work that returns nothing. */
    public void run(Consumer<LocalDatabase> work) {
        boolean unused = use(database -> {
            work.accept(database);
            return true;
        });
    }

    /** As {@link #use}, and empty instead of waiting while it is being opened or closed. */
    public <T> Optional<T> useNow(Function<LocalDatabase, T> work) {
        if (!lock.readLock().tryLock()) {
            return Optional.empty();
        }
        try {
            return Optional.of(opened(work));
        } finally {
            lock.readLock().unlock();
        }
    }

    private <T> T opened(Function<LocalDatabase, T> work) {
        StoreException found = damage;
        if (found != null) {
            throw found;
        }
        LocalDatabase open = database;
        if (open == null) {
            throw new StoreException("it is closed", false);
        }
        try {
            return work.apply(open);
        } catch (StoreException e) {
            damage = e.damaged() ? e : damage; // the reader notices at its next batch
            throw e;
        }
    }

    /** Makes the database be emptied when it is opened the next time, because it cannot be right; returns what to throw. */
    public StoreException distrust(String reason) {
        var found = new StoreException(reason, true);
        damage = found;
        return found;
    }

    /** Whether it has to be emptied. */
    public boolean damaged() {
        return damage != null;
    }

    /** Bytes of its files; 0 while it is not open. Does not wait until it is. */
    public long bytes() {
        if (!lock.readLock().tryLock()) {
            return 0;
        }
        try {
            LocalDatabase open = database;
            return open == null ? 0 : open.bytes();
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            closeDatabase();
            lockFile.close();
        } catch (IOException e) {
            LOG.warn("lock of a store not released folder={} error={}", folder, e.toString());
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void closeDatabase() {
        LocalDatabase open = database;
        database = null;
        if (open != null) {
            open.close();
        }
    }

    private Path files() {
        return folder.resolve("store");
    }

    private static RowKey metaKey(String name) {
        return RowKey.in(META).text(name);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }
}
