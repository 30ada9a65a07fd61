package millrace.webhook.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps the first 16 KiB of an answer's body, and reads them as text if they are. */
final class AnswerText {
    private static final Set<String> TEXT = Set.of(
            "application/json",
            "application/xml",
            "application/javascript",
            "application/x-ndjson",
            "application/x-www-form-urlencoded");

    private static final int MAX_BYTES = 16 * 1024;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);

    void append(ByteBuf content) {
        byte[] kept = new byte[Math.min(content.readableBytes(), MAX_BYTES - bytes.size())];
        content.readBytes(kept);
        bytes.writeBytes(kept);
    }

    boolean full() {
        return bytes.size() == MAX_BYTES;
    }

    /** Null if it is empty or not text. */
    @Nullable
    String text(HttpHeaders headers) {
        return of(bytes.toByteArray(), full(), headers);
    }

    /**
     * Null where the body is empty or compressed, or has a type that is not text and bytes that are
     * not UTF-8 or hold control characters.
     *
     * @param cut whether the body goes on, so that the last character may lack bytes
     */
    static @Nullable String of(byte[] body, boolean cut, HttpHeaders headers) {
        String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (body.length == 0 || (coding != null && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(coding))) {
            return null;
        }
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        return type != null && isText(type) ? new String(body, charset(type)) : decoded(body, cut);
    }

    private static boolean isText(String type) {
        CharSequence mime = HttpUtil.getMimeType(type);
        String name = (mime == null ? type : mime.toString()).strip().toLowerCase(Locale.ROOT);
        return name.startsWith("text/") || name.endsWith("+json") || name.endsWith("+xml") || TEXT.contains(name);
    }

    private static Charset charset(String type) {
        return HttpUtil.getCharset(type, StandardCharsets.UTF_8);
    }

    private static @Nullable String decoded(byte[] body, boolean cut) {
        CharBuffer text = CharBuffer.allocate(body.length);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body), text, !cut);
        text.flip();
        return result.isError() || text.chars().anyMatch(AnswerText::binary) ? null : text.toString();
    }

    private static boolean binary(int character) {
        return Character.isISOControl(character) && !Character.isWhitespace(character);
    }
}
