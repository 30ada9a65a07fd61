package millrace.runtime.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Text that people write: UTF-8, or UTF-16 where a byte order mark says so. Text in another encoding
 * is refused, so that nothing is asked for, or logged in with, that was never meant.
 */
public final class TextFile {
    private static final char MARK = '\uFEFF';
    /** What Java reads where bytes are no character. */
    private static final char LOST = '\uFFFD';

    private TextFile() {}

    /** @throws IOException whose message is for people; where the text is not readable, with the line */
    public static String read(Path file) throws IOException {
        return decode(Files.readAllBytes(file));
    }

    /** @throws IOException whose message is for people, with the line */
    public static String decode(byte[] bytes) throws IOException {
        boolean wide = starts(bytes, 0xfe, 0xff) || starts(bytes, 0xff, 0xfe);
        String text = new String(bytes, wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
        int lost = text.indexOf(LOST);
        int zero = text.indexOf('\0');
        if (zero >= 0 && (lost < 0 || zero < lost)) {
            throw new NotText("line " + line(text, zero) + " has zero bytes, as UTF-16 without a byte order mark has");
        }
        if (lost >= 0) {
            throw new NotText("line " + line(text, lost) + (wide ? " is not UTF-16" : " is not UTF-8")
                    + ", or has a letter that was lost before (U+FFFD)");
        }
        return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
    }

    private static boolean starts(byte[] bytes, int first, int second) {
        return bytes.length >= 2 && (bytes[0] & 0xff) == first && (bytes[1] & 0xff) == second;
    }

    private static long line(String text, int at) {
        return text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    }

    /** Its message is all that there is to say. */
    private static final class NotText extends IOException {
        private static final long serialVersionUID = 1;

        NotText(String message) {
            super(message + "; save it as UTF-8, for example with iconv -f LATIN1 -t UTF-8");
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // those who print it have no use for the name of the class
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
