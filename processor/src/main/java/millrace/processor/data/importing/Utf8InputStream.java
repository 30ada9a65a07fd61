package millrace.processor.data.importing;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of a UTF-8 text without its byte order mark. Reading fails, with a reason, where the bytes cannot be UTF-8
 * text.
 */
final class Utf8InputStream extends FilterInputStream {
    private static final int[] UTF_8_MARK = {0xEF, 0xBB, 0xBF};

    private final int[] head = new int[UTF_8_MARK.length];
    private int headLength;
    private int headRead;

    private Utf8InputStream(InputStream in) {
        super(in);
    }

    /** @throws IOException where the text begins with the byte order mark of another encoding */
    static InputStream of(InputStream in) throws IOException {
        var text = new Utf8InputStream(in);
        text.readHead();
        return text;
    }

    private void readHead() throws IOException {
        while (headLength < head.length) {
            int b = in.read();
            if (b < 0) {
                break;
            }
            head[headLength++] = b;
        }
        boolean utf16 =
                headLength >= 2 && ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] == 0xFE && head[1] == 0xFF));
        if (utf16) {
            throw new IOException("it is written in UTF-16; save it as UTF-8");
        }
        if (headLength == head.length
                && head[0] == UTF_8_MARK[0]
                && head[1] == UTF_8_MARK[1]
                && head[2] == UTF_8_MARK[2]) {
            headRead = headLength;
        }
    }

    @Override
    public int read() throws IOException {
        return checked(headRead < headLength ? head[headRead++] : in.read());
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (headRead < headLength && length > 0) {
            bytes[from] = (byte) checked(head[headRead++]);
            return 1;
        }
        int read = in.read(bytes, from, length);
        for (int i = from; i < from + read; i++) {
            checked(bytes[i]);
        }
        return read;
    }

    private static int checked(int b) throws IOException {
        if (b == 0) {
            throw new IOException("it has bytes that are 0, which no text in UTF-8 has: it is UTF-16, or no CSV file");
        }
        return b;
    }
}
