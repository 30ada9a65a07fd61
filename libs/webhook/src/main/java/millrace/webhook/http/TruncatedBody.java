package millrace.webhook.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Keeps the first 16 KiB of an answer's body. */
final class TruncatedBody {
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

    /** Null where it is empty or not text. */
    @Nullable
    String text(HttpHeaders headers) {
        return AnswerText.of(bytes.toByteArray(), full(), headers);
    }
}
