package millrace.webhook.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

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

    String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
