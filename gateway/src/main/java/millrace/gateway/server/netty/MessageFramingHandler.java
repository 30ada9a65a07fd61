package millrace.gateway.server.netty;

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
 * Lets no message through whose end is uncertain, because what follows it would be read as another
 * request. {@link SequentialRequestHandler} comes after it.
 *
 * <p>A request with a faulty head goes on without a body, marked as undecodable with a {@link
 * RefusedMessageException} as the cause, so that the error response names the fault. Where a body
 * is malformed, reading it fails. In both cases nothing more is read, and the connection closes
 * after the response.
 */
final class MessageFramingHandler extends ChannelDuplexHandler {
    private final RequestHeadCheck head;
    private boolean answered = true;
    private boolean broken;
    /** Whether the response being written is {@code 100 Continue} and not the final one. */
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
        // The codec remembers the real method and sends no body in response to HEAD.
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
