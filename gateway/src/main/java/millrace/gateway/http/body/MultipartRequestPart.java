package millrace.gateway.http.body;

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
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the file part named {@code request} of a multipart form. A part above 1 MiB lies in a
 * temporary file until this is closed.
 */
final class MultipartRequestPart implements Closeable {
    private static final String NAME = "request";
    private static final long IN_MEMORY = 1 << 20;
    private static final FormContent ONE_PART = new FormContent.Broken(
            "The form must have exactly one part: a file of type application/json named request.");

    private final @Nullable HttpPostMultipartRequestDecoder decoder;
    private final FormContent content;

    private MultipartRequestPart(@Nullable HttpPostMultipartRequestDecoder decoder, FormContent content) {
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
                        null, new FormContent.Broken("Content-Type: multipart/form-data needs a boundary."));
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
            return new MultipartRequestPart(decoder, new FormContent.Broken("The body is not a multipart form."));
        } catch (IOException e) {
            new MultipartRequestPart(decoder, ONE_PART).close();
            throw e;
        }
    }

    FormContent content() {
        return content;
    }

    @Override
    public void close() {
        if (decoder != null) {
            decoder.destroy();
        }
    }

    private static FormContent json(List<InterfaceHttpData> parts) throws IOException {
        if (parts.size() != 1
                || !(parts.getFirst() instanceof FileUpload file)
                || !file.getName().equals(NAME)
                || !file.isCompleted()) {
            return ONE_PART;
        }
        String type = file.getContentType();
        if (type == null || !type.toLowerCase(java.util.Locale.ROOT).startsWith("application/json")) {
            return ONE_PART;
        }
        return new FormContent.Json(
                file.isInMemory()
                        ? new ByteBufInputStream(file.getByteBuf().duplicate())
                        : new BufferedInputStream(
                                Files.newInputStream(file.getFile().toPath())));
    }
}
