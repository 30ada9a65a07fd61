package millrace.client.cli.report;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;

/**
 * The part of a file that has come so far, beside the file that it becomes. Its name has the checksum of the whole, so
 * that it is never completed with another file.
 */
final class PartFile implements AutoCloseable {
    private static final int NAME_DIGITS = 12;

    private final Path target;
    private final Path part;
    private final FileChannel channel;

    private PartFile(Path target, Path part, FileChannel channel) {
        this.target = target;
        this.part = part;
        this.channel = channel;
    }

    /** Opens the part that is there, or a new one. */
    static PartFile open(Path target, String sha256) throws CliException {
        // The service says it: other characters could lead to another folder.
        String digits = sha256.replaceAll("[^0-9a-f]", "");
        Path part = target.resolveSibling("." + target.getFileName() + "."
                + digits.substring(0, Math.min(NAME_DIGITS, digits.length())) + ".part");
        try {
            FileChannel channel = FileChannel.open(
                    part,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS); // others may write into the folder, too
            if (!locked(channel)) {
                channel.close();
                throw new CliException(
                        ExitCodes.LOCAL, target + " is being downloaded by another millrace; wait for that one");
            }
            return new PartFile(target, part, channel);
        } catch (IOException e) {
            throw failure(part, e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** Open for reading and writing. */
    FileChannel channel() {
        return channel;
    }

    @Override
    public String toString() {
        return part.toString();
    }

    /** The part is whole: gives it the name that it is to have. */
    void finish(boolean force) throws CliException {
        try {
            channel.force(true);
            channel.close();
            if (OutputFile.isDevice(target) || !OutputFile.target(target, force).equals(target)) {
                throw new CliException(ExitCodes.LOCAL, target + " is no file any more; the report is in " + part);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failure(target, e);
        }
    }

    /** Deletes the part. */
    void discard() throws CliException {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw failure(part, e);
        }
    }

    @Override
    public void close() throws CliException {
        try {
            channel.close();
        } catch (IOException e) {
            throw failure(part, e);
        }
    }

    private static CliException failure(Path file, IOException e) {
        return new CliException(ExitCodes.LOCAL, file + " cannot be written: " + Failures.reason(e));
    }
}
