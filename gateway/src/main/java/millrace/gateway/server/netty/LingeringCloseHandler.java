package millrace.gateway.server.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Closes a connection whose client still sends in two steps, as RFC 9112, section 9.6 advises: it
 * ends the output, then discards the input until the client closes too. A connection that is cut
 * off in the middle of a body would reach the client as a reset, and the client might never see the
 * response that refused it.
 */
final class LingeringCloseHandler extends ChannelDuplexHandler {
    /** For clients that send everything before they read. Others stop within a round trip. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final BooleanSupplier receiving;
    private boolean lingering;

    /**
     * @param receiving whether a request has begun to arrive and has not ended; called on the event
     *     loop
     */
    LingeringCloseHandler(BooleanSupplier receiving) {
        this.receiving = receiving;
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise closed) {
        if (lingering || !receiving.getAsBoolean() || !(context.channel() instanceof DuplexChannel channel)) {
            var unused = context.close(closed);
            return;
        }
        lingering = true;
        var deadline = context.executor()
                .schedule(
                        () -> {
                            var unused = context.close(closed);
                        },
                        TIMEOUT.toMillis(),
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(end -> {
            deadline.cancel(false);
            closed.trySuccess();
        });
        channel.config().setAutoRead(true);
        lastWrite(context).addListener(written -> {
            var unused = channel.shutdownOutput();
        });
    }

    private static Future<?> lastWrite(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        return tls == null ? context.writeAndFlush(Unpooled.EMPTY_BUFFER) : tls.closeOutbound();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (lingering) {
            ReferenceCountUtil.release(bytes);
        } else {
            context.fireChannelRead(bytes);
        }
    }
}
