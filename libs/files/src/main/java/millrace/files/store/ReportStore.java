package millrace.files.store;

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
 * Finished files under names such as {@code {report}/{attempt}/{slice}-{execution}}. A file appears whole or not at all and
 * does not change afterwards. Names are segments of letters, digits, {@code .}, {@code _} and {@code -}, joined by {@code /};
 * no segment starts with a dot. Any other name is an {@link IllegalArgumentException}: it cannot come from a signed link.
 */
public interface ReportStore extends AutoCloseable {

    /** Starts a file; nothing is seen under the name before {@link ReportFileWriter#commit()}. */
    ReportFileWriter create(String name) throws IOException;

    /** @throws java.nio.file.NoSuchFileException where there is none */
    SeekableByteChannel open(String name) throws IOException;

    boolean exists(String name);

    /** Deletes the file; one that does not exist is fine. */
    void delete(String name) throws IOException;

    /** Told of files, one by one; may delete them meanwhile. */
    interface Visitor {
        void visit(String name) throws IOException;
    }

    /**
     * Names the finished files that were last written before then, in no particular order. By the store's clock.
     *
     * @param writtenBefore bounds the search; {@link Instant#MAX} for all files
     */
    void visit(Instant writtenBefore, Visitor visitor) throws IOException;

    /**
     * Deletes files that were never finished, and that nobody has written to since then.
     *
     * @return how many
     */
    int deleteUnfinished(Instant writtenBefore) throws IOException;

    /**
     * An address where whoever has it reads the file, without anything in between; empty where the store has no such addresses.
     *
     * @param mediaType and {@code disposition}: what the answer says of the file
     * @param validity from now on
     */
    default Optional<URI> directLink(String name, String mediaType, String disposition, Duration validity) {
        return Optional.empty();
    }

    /** Lets go of what the store holds besides files. */
    @Override
    default void close() {}

    /** Names of all finished files, sorted; for stores that are small. */
    default List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        visit(Instant.MAX, names::add);
        names.sort(null);
        return names;
    }

    /**
     * Writes the parts one after the other into one file, with a buffer of fixed size.
     *
     * @throws IOException also where a part is not what it was when it was committed
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
     * @throws IOException also where it is not what it was when it was committed; by then its bytes are copied
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
