package millrace.gateway.server.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Sends no chunks to clients that speak HTTP/1.0, which know none (RFC 9112, section 6.1): where a
 * response has no length, the end of the connection is its end. Comes after {@link
 * SequentialRequestHandler}, so that the request is the one being answered.
 */
final class Http10Handler extends ChannelDuplexHandler {
    private boolean old;
    private boolean closes;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response && old && HttpUtil.isTransferEncodingChunked(response)) {
            HttpUtil.setTransferEncodingChunked(response, false);
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            closes = true;
        }
        boolean ends = closes && message instanceof LastHttpContent;
        var unused = context.write(message, ends ? promise.unvoid().addListener(ChannelFutureListener.CLOSE) : promise);
    }
}
