package millrace.gateway.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.IOException;
import java.util.List;

/** The file part named {@code request} of a multipart form. */
final class RequestPart {
    private static final String NAME = "request";
    private static final Content ONE_PART =
            new Content.Broken("The form must have exactly one part: a file of type application/json named request.");

    private RequestPart() {}

    static Content read(String contentType, byte[] form) throws IOException {
        if (!HttpPostRequestDecoder.isMultipart(headers(contentType))) {
            return new Content.Broken("Content-Type: multipart/form-data needs a boundary.");
        }
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", Unpooled.wrappedBuffer(form));
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        HttpPostMultipartRequestDecoder decoder = null;
        try {
            decoder = new HttpPostMultipartRequestDecoder(new DefaultHttpDataFactory(false), request);
            return json(decoder.getBodyHttpDatas());
        } catch (HttpPostRequestDecoder.ErrorDataDecoderException
                | HttpPostRequestDecoder.NotEnoughDataDecoderException
                | HttpPostRequestDecoder.TooManyFormFieldsException
                | HttpPostRequestDecoder.TooLongFormFieldException e) {
            return new Content.Broken("The body is not a multipart form.");
        } finally {
            if (decoder != null) {
                decoder.destroy();
            }
            request.release();
        }
    }

    private static HttpRequest headers(String contentType) {
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        return request;
    }

    private static Content json(List<InterfaceHttpData> parts) throws IOException {
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
        return new Content.Json(file.get());
    }
}
