package millrace.bench.notifier;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a receiver. The path of a request is {@code /{behaviour}/{due time}}, in
 * microseconds since the epoch or 0. {@code fine} answers 204 at once, {@code hang} never answers,
 * {@code drip} sends a byte now and then, {@code flaky} answers 500 to what it sees for the first
 * time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of Netty: a connection that is lost needs no answer
final class ReceiverConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final int DRIPPED_BYTES = 1000;
    private static final int MILLIS_PER_BYTE = 200;

    private final WebhookArrivals arrivals;

    ReceiverConnection(WebhookArrivals arrivals) {
        this.arrivals = arrivals;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        long now = BenchEvents.micros();
        String[] path = request.uri().split("/", -1);
        long due = path[1].equals("fine") ? Long.parseLong(path[2]) : 0;
        int times = arrivals.add(request.headers().get("webhook-id"), due, now);
        switch (path[1]) {
            case "hang" -> {}
            case "drip" -> drip(context);
            case "flaky" ->
                answer(context, times == 1 ? HttpResponseStatus.INTERNAL_SERVER_ERROR : HttpResponseStatus.NO_CONTENT);
            default -> answer(context, HttpResponseStatus.NO_CONTENT);
        }
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
        context.writeAndFlush(response, context.voidPromise());
    }

    private static void drip(ChannelHandlerContext context) {
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, DRIPPED_BYTES);
        context.writeAndFlush(response, context.voidPromise());
        ScheduledFuture<?> dripping = context.executor()
                .scheduleAtFixedRate(
                        () -> context.writeAndFlush(
                                new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[] {' '})),
                                context.voidPromise()),
                        MILLIS_PER_BYTE,
                        MILLIS_PER_BYTE,
                        TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(f -> dripping.cancel(false));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
