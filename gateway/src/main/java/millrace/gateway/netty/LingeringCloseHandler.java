package millrace.gateway.netty;

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
 * Closes a connection whose client still sends in two steps, as RFC 9112, section 9.6 advises: we say that nothing more comes,
 * then throw away what the client sends until it closes too. A client that were cut off in the middle of its body would be told
 * by its own system that the connection was reset, and might never see the answer that it was refused with.
 */
final class LingeringCloseHandler extends ChannelDuplexHandler {
    /** A client that reads the answer stops within a round trip; this is for those that first send everything. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final BooleanSupplier receiving;
    private boolean lingering;

    /** {@code receiving} tells whether a request has begun to come and has not ended; asked on the event loop. */
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
