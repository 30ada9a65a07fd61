package millrace.files.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;

/**
 * Stores finished files under names such as {@code {report}/{attempt}/{slice}-{execution}}. A file
 * appears whole or not at all, and does not change afterwards, unless somebody replaces it. Names are segments of letters,
 * digits, {@code .}, {@code _} and {@code -}, joined by {@code /}; no segment starts with a dot.
 * Any other name is an {@link IllegalArgumentException}, since it cannot come from a signed link.
 */
public interface ReportStore extends AutoCloseable {

    /**
     * Starts a file. It does not appear under its name before {@link ReportFileWriter#commit()}.
     */
    ReportFileWriter create(String name) throws IOException;

    /** Creates or replaces a small file, which is on the disk afterwards, whatever the settings say of other files. */
    default void replace(String name, byte[] content) throws IOException {
        try (ReportFileWriter out = create(name)) {
            out.write(content);
            out.commit();
        }
    }

    /** @throws java.nio.file.NoSuchFileException where the file does not exist */
    SeekableByteChannel open(String name) throws IOException;

    /**
     * Reads a part of a file with one request.
     *
     * @throws java.nio.file.NoSuchFileException where the file does not exist
     * @throws java.io.EOFException where it ends too soon
     */
    default byte[] read(String name, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (SeekableByteChannel in = open(name).position(from)) {
            while (bytes.hasRemaining()) {
                if (in.read(bytes) < 0) {
                    throw new EOFException(name + " ends before byte " + (from + length));
                }
            }
        }
        return bytes.array();
    }

    boolean exists(String name);

    /** Deletes the file if it exists. */
    void delete(String name) throws IOException;

    /** Deletes the file, or all files of a folder whose name ends with {@code /}. What does not exist is deleted. */
    default void deleteAll(String name) throws IOException {
        if (name.endsWith("/")) {
            visit(name.substring(0, name.length() - 1), Instant.MAX, this::delete);
        } else {
            delete(name);
        }
    }

    /** Called with each file; may delete files. */
    interface Visitor {
        void visit(String name) throws IOException;
    }

    /**
     * Visits the finished files that were last written before the time, in no particular order. The
     * store's clock counts.
     *
     * @param writtenBefore {@link Instant#MAX} for all files
     */
    void visit(Instant writtenBefore, Visitor visitor) throws IOException;

    /**
     * As {@link #visit(Instant, Visitor)}, but only the files in a folder, whose names begin with its
     * name and {@code /}. Other files are not listed.
     */
    default void visit(String folder, Instant writtenBefore, Visitor visitor) throws IOException {
        visit(writtenBefore, name -> {
            if (name.startsWith(folder + "/")) {
                visitor.visit(name);
            }
        });
    }

    /**
     * Deletes unfinished files that nobody has written to since the time.
     *
     * @return number of deleted files
     */
    int deleteUnfinished(Instant writtenBefore) throws IOException;

    /**
     * An address at which its holder reads the file directly from the storage; empty where the
     * store has none.
     *
     * @param mediaType of the answer
     * @param disposition of the answer
     * @param validity from now
     */
    default Optional<URI> directLink(String name, String mediaType, String disposition, Duration validity) {
        return Optional.empty();
    }

    /** Closes clients of the store. */
    @Override
    default void close() {}

    /** Names of all finished files, sorted. For small stores. */
    default List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        visit(Instant.MAX, names::add);
        names.sort(null);
        return names;
    }

    /**
     * Writes the parts into one file, with a buffer of fixed size.
     *
     * @throws IOException also where a part has changed since it was committed
     */
    default StoredFile concatenate(String name, List<StoredFile> parts) throws IOException {
        try (ReportFileWriter whole = create(name)) {
            for (StoredFile part : parts) {
                copy(part, whole);
            }
            return whole.commit();
        }
    }

    /**
     * Copies the bytes of a file.
     *
     * @throws IOException also where the file has changed since it was committed; its bytes have
     *     been copied by then
     */
    default void copy(StoredFile part, OutputStream out) throws IOException {
        byte[] buffer = new byte[1 << 16];
        MessageDigest digest = Hashes.sha256();
        try (SeekableByteChannel in = open(part.name())) {
            ByteBuffer view = ByteBuffer.wrap(buffer);
            for (int n = in.read(view); n >= 0; n = in.read(view.clear())) {
                digest.update(buffer, 0, n);
                out.write(buffer, 0, n);
            }
        }
        if (!HexFormat.of().formatHex(digest.digest()).equals(part.sha256())) {
            throw new IOException("part " + part.name() + " has changed since it was written");
        }
    }
}
