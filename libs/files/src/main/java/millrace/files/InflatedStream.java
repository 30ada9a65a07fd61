package millrace.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip (RFC 1952), also of several members, and zlib (RFC 1950). What follows the
 * compressed data must be zeros, as tapes and disks fill up their blocks: the JDK's streams take
 * anything else for the end, so that half a file is read as if it were whole.
 */
public final class InflatedStream extends BlockInputStream {
    private static final int BUFFER = 1 << 14;

    private static final int FIRST = 0x1F;
    private static final int SECOND = 0x8B;
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;
    /** Modification time, compression level and operating system. */
    private static final int UNUSED = 6;

    private final InputStream in;
    private final boolean gzip;
    private final Inflater inflater;
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    /** Begin and end of what is in the buffer and not used yet. */
    private int from;

    private int end;
    private State state = State.START;

    private enum State {
        START,
        DATA,
        AFTER,
        END,
        CLOSED
    }

    private InflatedStream(InputStream in, boolean gzip) {
        this.in = in;
        this.gzip = gzip;
        this.inflater = new Inflater(gzip);
    }

    /** Reads nothing yet. The stream is closed with this one. */
    public static InflatedStream gzip(InputStream in) {
        return new InflatedStream(in, true);
    }

    /** As {@link #gzip}, of the coding that HTTP calls deflate. */
    public static InflatedStream zlib(InputStream in) {
        return new InflatedStream(in, false);
    }

    /**
     * @throws EOFException where the data end too early
     * @throws ZipException where they are damaged, or something else follows them
     */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (state != State.END) {
            switch (state) {
                case START -> {
                    if (gzip) {
                        header(required());
                    }
                    state = State.DATA;
                }
                case DATA -> {
                    int n = inflate(bytes, offset, length);
                    if (n > 0) {
                        crc.update(bytes, offset, n);
                        return n;
                    }
                    if (gzip) {
                        trailer();
                    }
                    state = State.AFTER;
                }
                case AFTER -> state = after();
                case END, CLOSED -> throw new IOException("the stream is closed");
            }
        }
        return -1;
    }

    /** Returns 0 at the end of the compressed data. */
    private int inflate(byte[] bytes, int offset, int length) throws IOException {
        try {
            while (true) {
                int n = inflater.inflate(bytes, offset, length);
                if (n > 0) {
                    return n;
                }
                if (inflater.finished()) {
                    from = end - inflater.getRemaining();
                    return 0;
                }
                if (inflater.needsDictionary()) {
                    throw new ZipException("the compressed data need a dictionary");
                }
                if (from == end && !fill()) {
                    throw tooShort();
                }
                inflater.setInput(buffer, from, end - from);
                from = end;
            }
        } catch (DataFormatException e) {
            throw (ZipException) new ZipException("the compressed data are damaged").initCause(e);
        }
    }

    private void header(int first) throws IOException {
        crc.reset();
        crc.update(first);
        if (first != FIRST || counted() != SECOND) {
            throw new ZipException("it is not in gzip format");
        }
        if (counted() != DEFLATE) {
            throw new ZipException("the compression of the gzip data is not known");
        }
        int flags = counted();
        if ((flags & RESERVED) != 0) {
            throw new ZipException("the gzip data have flags that are not known");
        }
        skip(UNUSED);
        if ((flags & EXTRA) != 0) {
            skip(counted() | counted() << 8);
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CRC) != 0) {
            int sum = (int) crc.getValue() & 0xFFFF;
            if (number(2) != sum) {
                throw new ZipException("the header of the gzip data is damaged");
            }
        }
        crc.reset();
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            counted();
        }
    }

    private void skipText() throws IOException {
        while (counted() != 0) {
            // the name of a file, or a comment
        }
    }

    private void trailer() throws IOException {
        if (number(4) != crc.getValue() || number(4) != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
            throw new ZipException("the checksum of the gzip data is wrong");
        }
    }

    private State after() throws IOException {
        int next = next();
        if (gzip && next == FIRST) {
            inflater.reset();
            header(next);
            return State.DATA;
        }
        while (next == 0) {
            next = next();
        }
        if (next > 0) {
            throw new ZipException("something other than zeros follows the compressed data");
        }
        return State.END;
    }

    private int counted() throws IOException {
        int b = required();
        crc.update(b);
        return b;
    }

    /** A number of so many bytes, the lowest first. */
    private long number(int bytes) throws IOException {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (long) required() << (8 * i);
        }
        return number;
    }

    private int required() throws IOException {
        int b = next();
        if (b < 0) {
            throw tooShort();
        }
        return b;
    }

    /** The next byte of the compressed stream; -1 at its end. */
    private int next() throws IOException {
        return from < end || fill() ? buffer[from++] & 0xFF : -1;
    }

    private boolean fill() throws IOException {
        from = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        return end > 0;
    }

    private static EOFException tooShort() {
        return new EOFException("the compressed data end too early");
    }

    /** Frees the inflater's memory, which is not on the heap. */
    @Override
    public void close() throws IOException {
        state = State.CLOSED;
        inflater.end();
        in.close();
    }
}
