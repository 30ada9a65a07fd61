package millrace.webhook.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import millrace.webhook.Webhook;
import millrace.webhook.address.Destination;

/** Builds the HTTP request of one attempt, signed with its time. */
final class SignedRequest {
    private static final String USER_AGENT = "Millrace-Webhooks/1";

    private SignedRequest() {}

    static FullHttpRequest of(Webhook webhook, Destination destination, Instant sentAt) {
        byte[] body = webhook.body().getBytes(StandardCharsets.UTF_8);
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, destination.target(), Unpooled.wrappedBuffer(body));
        request.headers()
                .set(HttpHeaderNames.HOST, destination.hostHeader())
                .set(HttpHeaderNames.USER_AGENT, USER_AGENT)
                .set(HttpHeaderNames.ACCEPT, "*/*")
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (webhook.traceparent() != null) {
            request.headers().set("traceparent", webhook.traceparent());
        }
        webhook.signature().headers(webhook.id(), sentAt, body).forEach(request.headers()::set);
        return request;
    }
}
