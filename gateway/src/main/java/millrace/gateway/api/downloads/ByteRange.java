package millrace.gateway.api.downloads;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The part of a file that a Range header asks for (RFC 9110, section 14). */
sealed interface ByteRange {
    Pattern SINGLE = Pattern.compile("bytes=\\s*([0-9]{0,18})-([0-9]{0,18})\\s*", Pattern.CASE_INSENSITIVE);

    /**
     * There is no range, or one that is malformed or has several parts. Such ranges are ignored.
     */
    record Whole() implements ByteRange {}

    /**
     * @param first offset of the first byte
     * @param last offset of the last byte, inclusive
     */
    record Part(long first, long last) implements ByteRange {
        long length() {
            return last - first + 1;
        }
    }

    /** The range begins after the end of the file. */
    record Outside() implements ByteRange {}

    static ByteRange parse(@Nullable String header, long size) {
        Matcher range = SINGLE.matcher(header == null ? "" : header);
        if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
            return new Whole();
        }
        if (range.group(1).isEmpty()) {
            long suffix = Long.parseLong(range.group(2));
            return suffix == 0 || size == 0 ? new Outside() : new Part(Math.max(0, size - suffix), size - 1);
        }
        long first = Long.parseLong(range.group(1));
        long last = range.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.group(2));
        if (last < first) {
            return new Whole();
        }
        return first >= size ? new Outside() : new Part(first, Math.min(last, size - 1));
    }
}
