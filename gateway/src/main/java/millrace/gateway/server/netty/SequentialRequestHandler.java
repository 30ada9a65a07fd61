package millrace.gateway.server.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Holds a request back until the one before it has been answered. Clients may send several without
 * waiting (RFC 9112, section 9.3.2), but Micronaut loses parts of a streamed response that begins
 * before its turn.
 */
final class SequentialRequestHandler extends ChannelDuplexHandler {
    /** Holds at most what one read brought: nothing is read while something waits. */
    private final Queue<Object> waiting = new ArrayDeque<>();

    private boolean unanswered;
    /** Whether the response being written is {@code 100 Continue} and not the final one. */
    private boolean interim;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (waiting.isEmpty() && !(unanswered && message instanceof HttpRequest)) {
            forward(context, message);
        } else {
            waiting.add(message);
        }
    }

    private void forward(ChannelHandlerContext context, Object message) {
        unanswered |= message instanceof HttpRequest;
        context.fireChannelRead(message);
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (waiting.isEmpty()) {
            context.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }
        boolean answered = message instanceof LastHttpContent && !interim;
        var unused = context.write(message, promise);
        if (answered) {
            unanswered = false;
            // The writer of the response cannot take the next request yet.
            context.executor().execute(() -> resume(context));
        }
    }

    private void resume(ChannelHandlerContext context) {
        if (waiting.isEmpty() || unanswered) {
            return;
        }
        do {
            forward(context, waiting.remove());
        } while (!waiting.isEmpty() && !(waiting.peek() instanceof HttpRequest));
        context.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }
}
