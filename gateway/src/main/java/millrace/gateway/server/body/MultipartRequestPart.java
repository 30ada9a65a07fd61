package millrace.gateway.server.body;

import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpData;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.gateway.server.QueryParameters;
import org.jspecify.annotations.Nullable;

/**
 * Parses the part named {@code request} of a multipart form, which may be a file or a field. A part
 * above 1 MiB lies in a temporary file until this is closed.
 */
final class MultipartRequestPart implements Closeable {
    private static final String NAME = "request";
    private static final long IN_MEMORY = 1 << 20;
    /** What clients put there for JSON: generators write nothing or text/plain for a field, and curl application/octet-stream for a file. */
    private static final Set<String> TYPES = Set.of("application/json", "text/plain", "application/octet-stream");

    /** The decoder gives the last two to parts that are sent as 7bit and 8bit; their bytes are read as UTF-8 nevertheless. */
    private static final Set<Charset> CHARSETS =
            Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

    /** The content of a multipart form. */
    sealed interface Content {
        record Json(InputStream json) implements Content {}

        /** @param sentence what is wrong and what is accepted */
        record Broken(String sentence) implements Content {}
    }

    private final @Nullable HttpPostMultipartRequestDecoder decoder;
    private final Content content;

    private MultipartRequestPart(@Nullable HttpPostMultipartRequestDecoder decoder, Content content) {
        this.decoder = decoder;
        this.content = content;
    }

    static MultipartRequestPart read(String contentType, InputStream form) throws IOException {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        HttpPostMultipartRequestDecoder decoder = null;
        try {
            if (!HttpPostRequestDecoder.isMultipart(request)) {
                return new MultipartRequestPart(
                        null, new Content.Broken("Content-Type: multipart/form-data needs a boundary."));
            }
            decoder = new HttpPostMultipartRequestDecoder(new DefaultHttpDataFactory(IN_MEMORY), request);
            byte[] buffer = new byte[1 << 16];
            for (int n = form.read(buffer); n >= 0; n = form.read(buffer)) {
                decoder.offer(new DefaultHttpContent(Unpooled.copiedBuffer(buffer, 0, n)));
            }
            decoder.offer(new DefaultLastHttpContent());
            return new MultipartRequestPart(decoder, json(decoder.getBodyHttpDatas()));
        } catch (RuntimeException e) {
            // The decoder also throws exceptions that it does not declare, for example at a part without a boundary.
            return new MultipartRequestPart(decoder, new Content.Broken("The body is not a multipart form."));
        } catch (IOException e) {
            if (decoder != null) {
                decoder.destroy();
            }
            throw e;
        }
    }

    Content content() {
        return content;
    }

    @Override
    public void close() {
        if (decoder != null) {
            decoder.destroy();
        }
    }

    private static Content json(List<InterfaceHttpData> parts) throws IOException {
        for (InterfaceHttpData part : parts) {
            if (!part.getName().equals(NAME)) {
                return broken(part, "is not a part of the form; accepted: " + NAME);
            }
        }
        if (parts.size() != 1 || !(parts.getFirst() instanceof HttpData part)) {
            return new Content.Broken("The form must have exactly one part named " + NAME + ".");
        }
        if (!part.isCompleted()) {
            return broken(part, "ends too early");
        }
        if (part instanceof FileUpload file && !isJson(file.getContentType())) {
            return broken(
                    part,
                    "has the Content-Type " + QueryParameters.shown(file.getContentType())
                            + "; accepted: application/json, text/plain, application/octet-stream, or none");
        }
        if (!CHARSETS.contains(part.getCharset())) {
            return broken(part, "has the charset " + part.getCharset() + "; accepted: UTF-8");
        }
        return new Content.Json(
                part.isInMemory()
                        ? new ByteBufInputStream(part.getByteBuf().duplicate())
                        : new BufferedInputStream(
                                Files.newInputStream(part.getFile().toPath())));
    }

    private static boolean isJson(@Nullable String contentType) {
        return contentType == null
                || TYPES.contains(contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    private static Content broken(InterfaceHttpData part, String fault) {
        return new Content.Broken("The part " + QueryParameters.shown(part.getName()) + " " + fault + ".");
    }
}
