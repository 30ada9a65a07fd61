package millrace.files.entities;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the names of a block in their order. For one thread. */
final class EntityBlock {
    private final byte[] block;
    private int at;
    private byte[] name = new byte[256];
    private int length;

    /** @param block unchanged since it was written, which its checksum shows */
    EntityBlock(byte[] block) {
        this.block = block;
    }

    /** Moves to the next name; false at the end. */
    boolean next() {
        if (at == block.length) {
            return false;
        }
        int shared = number();
        int more = number();
        if (shared + more > name.length) {
            name = Arrays.copyOf(name, Math.max(2 * name.length, shared + more));
        }
        System.arraycopy(block, at, name, shared, more);
        at += more;
        length = shared + more;
        return true;
    }

    /** Compares the current name with another one, by UTF-8 bytes. */
    int compareTo(byte[] other) {
        return Arrays.compareUnsigned(name, 0, length, other, 0, other.length);
    }

    boolean startsWith(byte[] prefix) {
        return length >= prefix.length && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length);
    }

    String name() {
        return new String(name, 0, length, StandardCharsets.UTF_8);
    }

    private int number() {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = block[at++];
            value |= (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }
}
