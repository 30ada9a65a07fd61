package millrace.gateway.server.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import millrace.gateway.settings.ConnectionSettings;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose request takes too long to arrive. A client that sends a byte now and
 * then is never idle, but holds a connection, and with a body a thread. Runs on the connection's
 * event loop.
 */
final class RequestDeadlines {
    private final Channel channel;
    private final ConnectionSettings settings;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean inBody;

    /** Starts the time of the first request. */
    RequestDeadlines(Channel channel, ConnectionSettings settings) {
        this.channel = channel;
        this.settings = settings;
        start(settings.headersWithin());
    }

    /** Whether a request has begun to arrive and has not ended. */
    boolean receiving() {
        return inBody;
    }

    /** The handler in front of the codec. */
    ChannelHandler byteHandler() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                if (deadline == null && !inBody) {
                    start(settings.headersWithin());
                }
                context.fireChannelRead(bytes);
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                cancel();
                context.fireChannelInactive();
            }
        };
    }

    /** The handler behind the codec. */
    ChannelHandler requestHandler() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof HttpRequest) {
                    inBody = true;
                    start(settings.bodyWithin());
                }
                if (message instanceof LastHttpContent last
                        && last.decoderResult().isSuccess()) {
                    inBody = false;
                    cancel();
                }
                context.fireChannelRead(message);
            }
        };
    }

    private void start(Duration timeout) {
        cancel();
        deadline = channel.eventLoop().schedule(this::cutOff, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void cutOff() {
        inBody = false;
        var unused = channel.close();
    }

    private void cancel() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
