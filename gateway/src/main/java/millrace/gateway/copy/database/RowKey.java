package millrace.gateway.copy.database;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Builds the key of a row, or of all rows that begin alike. Numbers sort by value. */
public final class RowKey {
    private static final int MOST_TEXT = 0xffff;

    private byte[] bytes = new byte[96];
    private int length;

    private RowKey(RowTable table) {
        bytes[0] = table.code();
        length = 1;
    }

    public static RowKey in(RowTable table) {
        return new RowKey(table);
    }

    /** Adds a day since 1970, or a period, from 0 to 65535. */
    public RowKey day(int day) {
        if (day < 0 || day > 0xffff) {
            throw new IllegalArgumentException("not a day from 1970 to 2149: " + day);
        }
        room(Short.BYTES).putShort((short) day);
        return this;
    }

    public RowKey number(int number) {
        room(Integer.BYTES).putInt(number);
        return this;
    }

    public RowKey number(long number) {
        room(Long.BYTES).putLong(number);
        return this;
    }

    public RowKey report(UUID report) {
        room(2 * Long.BYTES).putLong(report.getMostSignificantBits()).putLong(report.getLeastSignificantBits());
        return this;
    }

    /** Adds a text with its length, so that no text is the beginning of another. */
    public RowKey text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > MOST_TEXT) {
            throw new IllegalArgumentException("a text of " + utf8.length + " bytes in a key");
        }
        room(Short.BYTES + utf8.length).putShort((short) utf8.length).put(utf8);
        return this;
    }

    /** Adds a text that ends the key: keys that differ in it alone sort as the texts do. */
    public RowKey last(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        room(utf8.length).put(utf8);
        return this;
    }

    public byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Reads a text that {@link #text} has added. */
    public static String text(ByteBuffer key) {
        byte[] utf8 = new byte[Short.toUnsignedInt(key.getShort())];
        key.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** The first key after all that begin with these bytes. */
    static byte[] end(byte[] prefix) {
        byte[] end = prefix.clone();
        for (int at = end.length - 1; at >= 0; at--) {
            if (++end[at] != 0) {
                return Arrays.copyOf(end, at + 1);
            }
        }
        throw new IllegalArgumentException("no key follows");
    }

    private ByteBuffer room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (length + more));
        }
        ByteBuffer room = ByteBuffer.wrap(bytes, length, more);
        length += more;
        return room;
    }
}
