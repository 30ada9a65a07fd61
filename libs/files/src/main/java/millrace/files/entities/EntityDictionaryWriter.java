package millrace.files.entities;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import millrace.contracts.Json;
import millrace.contracts.requests.DatasetFacts;

/**
 * Writes an entity dictionary: blocks of names, an index with a line for each block, the facts of
 * the version as JSON, and a trailer of fixed size. Of a name only what differs from the one before
 * is written. Holds one block and the index in memory, whatever the number of names.
 */
public final class EntityDictionaryWriter {
    /** A block ends with the first name that makes it this large. Who looks a name up reads half of one. */
    static final int BLOCK_BYTES = 4 * 1024;
    /** Largest index, which readers have in memory. Hundreds of millions of names need no more. */
    static final int MOST_INDEX_BYTES = 8 * 1024 * 1024;

    static final int MOST_NAME_BYTES = 4096;
    /** Position and length of the index, length of the facts, number of blocks, checksum, magic. */
    static final int TRAILER_BYTES = Long.BYTES + 4 * Integer.BYTES + Long.BYTES;
    /** The format; a changed one gets another number. */
    static final long MAGIC = 0x6d72_656e_7469_0001L;
    /** Beside the facts, where no name was left out. */
    static final String EVERY_NAME = "every_name";

    private final OutputStream out;
    private final int blockBytes;
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final ByteArrayOutputStream index = new ByteArrayOutputStream();
    private final DataOutputStream indexData = new DataOutputStream(index);
    private byte[] last = {};
    /** Separates the current block from the one before: the shortest prefix of its first name that does. */
    private byte[] separator = {};

    private long names;
    private int blocks;
    private long position;

    /** @param out receives the file; buffers it, and is not closed */
    public EntityDictionaryWriter(OutputStream out) {
        this(out, BLOCK_BYTES);
    }

    EntityDictionaryWriter(OutputStream out, int blockBytes) {
        this.out = out;
        this.blockBytes = blockBytes;
    }

    /**
     * Adds a name. One that is empty or longer than 4 KiB is left out: no request can have it.
     *
     * @throws IllegalArgumentException where the name does not follow the one before in the order
     *     of UTF-8 bytes, or there are too many
     */
    public void add(String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MOST_NAME_BYTES) {
            return;
        }
        int shared = Math.max(0, Arrays.mismatch(last, bytes));
        if (names > 0 && Arrays.compareUnsigned(last, bytes) >= 0) {
            throw new IllegalArgumentException("the entities are not sorted by their bytes");
        }
        if (block.size() == 0) {
            separator = Arrays.copyOf(bytes, Math.min(bytes.length, blocks == 0 ? 0 : shared + 1));
            shared = 0;
        }
        number(shared);
        number(bytes.length - shared);
        block.write(bytes, shared, bytes.length - shared);
        last = bytes;
        names++;
        if (block.size() >= blockBytes) {
            finishBlock();
        }
    }

    /** Number of names that were added. */
    public long names() {
        return names;
    }

    /** Bytes that are in memory. */
    int heldBytes() {
        return block.size() + index.size();
    }

    /** Ends the file; all names of the version have been added. */
    public void finish(DatasetFacts facts) throws IOException {
        ObjectNode json = Json.MAPPER.valueToTree(facts);
        finish(Json.bytes(json.put(EVERY_NAME, true)));
    }

    /** @param json the facts */
    void finish(byte[] json) throws IOException {
        if (block.size() > 0) {
            finishBlock();
        }
        byte[] lines = index.toByteArray();
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES)
                .putLong(position)
                .putInt(lines.length)
                .putInt(json.length)
                .putInt(blocks);
        var checksum = new CRC32C();
        checksum.update(lines);
        checksum.update(json);
        checksum.update(trailer.array(), 0, trailer.position());
        out.write(lines);
        out.write(json);
        out.write(trailer.putInt((int) checksum.getValue()).putLong(MAGIC).array());
    }

    /** Seven bits a byte, the lowest first. */
    private void number(int value) {
        int rest = value;
        while (rest > 0x7F) {
            block.write((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        block.write(rest);
    }

    private void finishBlock() throws IOException {
        byte[] bytes = block.toByteArray();
        var checksum = new CRC32C();
        checksum.update(bytes);
        indexData.writeInt(bytes.length);
        indexData.writeInt((int) checksum.getValue());
        indexData.writeShort(separator.length);
        indexData.write(separator);
        if (index.size() > MOST_INDEX_BYTES) {
            throw new IllegalArgumentException("there are too many entities: after " + names
                    + " the index is larger than " + MOST_INDEX_BYTES + " bytes");
        }
        out.write(bytes);
        position += bytes.length;
        blocks++;
        block.reset();
    }
}
