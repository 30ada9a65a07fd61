package millrace.gateway.server.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;

/**
 * Removes headers that mean nothing to the API and that Micronaut fails on for some values. All
 * responses are in English.
 */
final class IgnoredHeadersHandler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            request.headers().remove(HttpHeaderNames.ACCEPT_CHARSET).remove(HttpHeaderNames.ACCEPT_LANGUAGE);
        }
        context.fireChannelRead(message);
    }
}
