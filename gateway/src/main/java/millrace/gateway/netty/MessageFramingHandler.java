package millrace.gateway.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;

/**
 * Lets no message through whose end is not certain, since what follows it would be taken for another request. Gets requests
 * {@link SequentialRequestHandler}.
 *
 * <p>A request that is refused by its head goes on as one that could not be decoded, without a body, and with a
 * {@link RefusedMessageException} as the cause: whoever answers requests says so. Where the body turns out to be malformed, the body fails.
 * In both cases nothing that comes afterwards is read, and the connection is closed with the answer.
 */
final class MessageFramingHandler extends ChannelDuplexHandler {
    private final RequestHeadCheck head;
    private boolean answered = true;
    private boolean broken;
    /** Whether what is being written is no answer yet, but {@code 100 Continue}. */
    private boolean interim;

    MessageFramingHandler(RequestHeadCheck head) {
        this.head = head;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (broken) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpRequest request) {
            answered = false;
            head.fault(request).ifPresent(fault -> refuse(request, fault));
            context.fireChannelRead(request);
        } else if (message instanceof HttpContent content
                && content.decoderResult().isFailure()) {
            broken = true;
            content.release();
            failBody(context);
        } else {
            context.fireChannelRead(message);
        }
    }

    private void refuse(HttpRequest request, RefusedMessageException fault) {
        broken = true;
        request.setDecoderResult(DecoderResult.failure(fault));
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
        // The codec remembers the real one, and sends no body in answer to HEAD.
        request.setMethod(HttpMethod.GET);
    }

    private void failBody(ChannelHandlerContext context) {
        if (answered) {
            var unused = context.close();
        } else {
            context.fireExceptionCaught(new ClosedChannelException());
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (broken && !interim) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
        }
        ChannelPromise written = promise;
        if (message instanceof LastHttpContent && !interim) {
            answered = true;
            written = broken ? promise.unvoid().addListener(ChannelFutureListener.CLOSE) : promise;
        }
        var unused = context.write(message, written);
    }
}
