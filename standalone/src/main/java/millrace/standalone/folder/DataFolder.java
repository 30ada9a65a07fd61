package millrace.standalone.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/**
 * The folder with all state. One process at a time holds its lock, which the operating system
 * releases when the process ends.
 *
 * @param root absolute
 */
public record DataFolder(Path root, FileChannel lock) implements AutoCloseable {

    /**
     * @throws SettingsException where the folder cannot be written or another process holds it; its
     *     message is one line
     */
    public static DataFolder open(Path folder) {
        Path root = folder.toAbsolutePath().normalize();
        FileChannel channel;
        if (Files.exists(root) && !Files.isDirectory(root)) {
            throw new SettingsException("the data folder " + root + " is not a folder");
        }
        try {
            Files.createDirectories(root);
            channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new SettingsException("the data folder " + root + " cannot be written: " + e);
        }
        if (lock(channel, root) == null) {
            throw new SettingsException("the data folder " + root + " is used by another process");
        }
        return new DataFolder(root, channel);
    }

    public Path kafka() {
        return root.resolve("kafka");
    }

    /** File with the port of Kafka at the last start. */
    public Path kafkaPort() {
        return root.resolve("kafka-port");
    }

    public Path warehouse() {
        return root.resolve("warehouse");
    }

    /** Folder with the operator's own datasets; may be missing. */
    public Path catalog() {
        return root.resolve("catalog");
    }

    public Path reports() {
        return root.resolve("reports");
    }

    /** What the gateway has read of accounts' reports and credits. */
    public Path activity() {
        return root.resolve("activity");
    }

    /** The reports and balances that the gateway answers from. */
    public Path readModel() {
        return root.resolve("read-model");
    }

    /** The webhook deliveries that the gateway can list and resend. */
    public Path deliveries() {
        return root.resolve("deliveries");
    }

    public Path streams() {
        return root.resolve("streams");
    }

    public Path scratch() {
        return root.resolve("scratch");
    }

    public Path accounts() {
        return root.resolve("accounts.yaml");
    }

    public Path demoKeys() {
        return root.resolve("demo-keys.yaml");
    }

    public Path accountsKey() {
        return root.resolve("accounts-key");
    }

    /** File with the names and keys of the admin API. */
    public Path adminKeys() {
        return root.resolve("admin-keys");
    }

    /**
     * File with the address of the admin API of the running process, and a key; {@code millrace
     * admin} reads it.
     */
    public Path adminAccess() {
        return root.resolve("admin.yaml");
    }

    public Path linkSecret() {
        return root.resolve("link-secret");
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    private static @Nullable FileLock lock(FileChannel channel, Path root) {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        } catch (IOException e) {
            throw new SettingsException("the data folder " + root + " cannot be locked: " + e);
        }
    }
}
