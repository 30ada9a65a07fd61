package millrace.webhook.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes the messages of a connection to the exchange that uses it. */
@SuppressWarnings("FutureReturnValueIgnored") // of Netty: its failures reach the listeners
final class ResponseReader extends ChannelInboundHandlerAdapter {
    private final long openedAt = System.nanoTime();
    private @Nullable RunningExchange current;
    private boolean begun;

    static ResponseReader of(Channel channel) {
        return channel.pipeline().get(ResponseReader.class);
    }

    void begin(RunningExchange exchange) {
        current = exchange;
        begun = false;
    }

    /** Whether a byte has arrived for the current exchange. */
    boolean begun() {
        return begun;
    }

    /** Time since the connection was opened. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - openedAt);
    }

    /** The handler in front of the decoder, which holds the first bytes back. */
    ChannelInboundHandler firstByte() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                begun = true;
                context.fireChannelRead(bytes);
            }
        };
    }

    void end() {
        current = null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (current == null) {
                context.close(); // bytes without a request
                return;
            }
            if (message instanceof HttpResponse response) {
                current.head(response);
            }
            if (message instanceof HttpContent content && current != null) {
                current.content(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (current != null) {
            current.broken(FailureReasons.CLOSED);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (current != null) {
            current.broken(FailureReasons.of(cause));
        }
        context.close();
    }
}
