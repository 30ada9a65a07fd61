package millrace.control;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Writes and reads a pointer, a mark or a secret. Whoever reads it finds the old content or the new one, also after the
 * machine has lost its power: a temporary file in the same folder is forced to disk and renamed, and the folder is forced.
 * This does not depend on {@code fsync} settings, which are for files that are many or large.
 */
public final class ControlFile {
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final FileAttribute<?>[] ANYBODY = {};

    private ControlFile() {}

    /** Replaces the file, or creates it and the folders that are missing. */
    public static void write(Path file, String content) throws IOException {
        write(file, bytes(content));
    }

    /** Replaces the file, or creates it and the folders that are missing. */
    public static void write(Path file, byte[] content) throws IOException {
        replace(file, content, ANYBODY);
    }

    /** As {@link #write}; nobody but its owner can read it at any time. */
    public static void writeSecret(Path file, String content) throws IOException {
        replace(file, bytes(content), ownerOnly());
    }

    /**
     * As {@link #writeSecret}, but leaves a file that exists as it is: of several processes that create it at once,
     * one does.
     */
    public static void createSecret(Path file, byte[] content) throws IOException {
        Path temporary = temporary(file, content, ownerOnly());
        try {
            link(file, temporary);
            forceFolder(folder(file));
        } catch (FileAlreadyExistsException e) {
            // Another process was first.
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Reads the text of a file, without blanks around it. Empty if its bytes are not UTF-8: a file that is damaged says as
     * little as one that a power cut has left empty.
     */
    public static String read(Path file) throws IOException {
        try {
            return Files.readString(file).strip();
        } catch (CharacterCodingException e) {
            return "";
        }
    }

    /** Forces the names in a folder to disk. */
    public static void forceFolder(Path folder) throws IOException {
        if (File.separatorChar == '\\') {
            return; // Windows does not open folders.
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void replace(Path file, byte[] content, FileAttribute<?>[] attributes) throws IOException {
        Path temporary = temporary(file, content, attributes);
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceFolder(folder(file));
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static Path temporary(Path file, byte[] content, FileAttribute<?>[] attributes) throws IOException {
        Path folder = folder(file);
        createFolders(folder);
        Path temporary = folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try (FileChannel channel = FileChannel.open(temporary, NEW, attributes)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        return temporary;
    }

    /** The name of a new folder is in the one above it. */
    private static void createFolders(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null && Files.notExists(folder)) {
            createFolders(parent);
            Files.createDirectories(folder);
            forceFolder(parent);
        }
    }

    /** A link, unlike a rename, never replaces the file of another process. */
    private static void link(Path file, Path temporary) throws IOException {
        try {
            Files.createLink(file, temporary);
        } catch (UnsupportedOperationException e) {
            Files.move(temporary, file);
        }
    }

    private static Path folder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IllegalArgumentException("not a file: " + file);
        }
        return folder;
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : ANYBODY;
    }

    private static byte[] bytes(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }
}
