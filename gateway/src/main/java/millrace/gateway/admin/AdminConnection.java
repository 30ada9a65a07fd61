package millrace.gateway.admin;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Reads the calls of one connection, which come one by one. Everything is on the event loop but the answering itself. */
final class AdminConnection extends ChannelInboundHandlerAdapter {
    private static final int LARGEST_BODY = 1 << 16;

    private final Calls calls;
    private final Executor threads;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    /** Whose answer has not been written. */
    private @Nullable Pending pending;

    private boolean closing;

    private record Pending(HttpRequest request, Calls.Continuation then) {}

    AdminConnection(Calls calls, Executor threads) {
        this.calls = calls;
        this.threads = threads;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.fireChannelActive();
        context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (!closing) {
                take(context, message);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.read();
    }

    /** The body broke off, or the connection did. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (pending == null) {
            closing = true;
            var unused = context.close();
        } else {
            Answer broken = Answer.problem(400, "The body is framed wrongly or ends too early; nothing was changed.");
            answer(context, pending.request(), broken, true);
        }
    }

    private void take(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            begin(context, request);
        } else if (message instanceof HttpContent content && pending != null) {
            more(context, pending, content);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) {
        switch (calls.begin(request)) {
            case Calls.Begun.Answered(Answer answer) -> answer(context, request, answer, !hasNoBody(request));
            case Calls.Begun.Expected(Calls.Continuation then) -> {
                pending = new Pending(request, then);
                body.reset();
                if (HttpUtil.is100ContinueExpected(request)) {
                    var unused = context.writeAndFlush(
                            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
                }
            }
        }
    }

    /** Only where that is certain. */
    private static boolean hasNoBody(HttpRequest request) {
        return request.decoderResult().isSuccess()
                && !request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                && HttpUtil.getContentLength(request, 0L) == 0;
    }

    private void more(ChannelHandlerContext context, Pending call, HttpContent content) {
        body.writeBytes(ByteBufUtil.getBytes(content.content()));
        if (body.size() > LARGEST_BODY) {
            Answer tooLarge = Answer.problem(413, "The body must not be larger than " + LARGEST_BODY + " bytes.");
            answer(context, call.request(), tooLarge, true);
        } else if (content instanceof LastHttpContent) {
            byte[] whole = body.toByteArray();
            threads.execute(() -> {
                Answer answer = call.then().answer(whole);
                context.executor().execute(() -> answer(context, call.request(), answer, false));
            });
        }
    }

    private void answer(ChannelHandlerContext context, HttpRequest request, Answer answer, boolean last) {
        if (closing) {
            return;
        }
        pending = null;
        closing = last || !HttpUtil.isKeepAlive(request);
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                Unpooled.wrappedBuffer(answer.body()));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        if (answer.allow() != null) {
            response.headers().set(HttpHeaderNames.ALLOW, answer.allow());
        }
        HttpUtil.setKeepAlive(response, !closing);
        ChannelFuture written = context.writeAndFlush(response);
        if (closing) {
            var unused = written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            var unused = context.close();
        } else {
            context.fireUserEventTriggered(event);
        }
    }
}
