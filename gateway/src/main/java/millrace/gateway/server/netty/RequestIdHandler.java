package millrace.gateway.server.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.AttributeKey;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names every request by the {@code X-Request-Id} that it carries, or by a new one, and says it in
 * the response. Behind it, every request has the header. Comes after {@link
 * SequentialRequestHandler}, so that a connection has one request at a time.
 */
public final class RequestIdHandler extends ChannelDuplexHandler {
    /** On the channel: the id of the request that is being answered. */
    public static final AttributeKey<String> CURRENT = AttributeKey.valueOf("millrace.request-id");

    /** Names of headers are compared in any case; Netty is quickest with this one. */
    static final String NAME = "x-request-id";

    /** Logs, headers and pages can hold it as it is. */
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    private static final HexFormat HEX = HexFormat.of();

    private String current = "";

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            @Nullable String given = request.headers().get(NAME);
            if (given != null && SANE.matcher(given).matches()) {
                current = given;
            } else {
                current = fresh();
                request.headers().set(NAME, current);
            }
            context.channel().attr(CURRENT).set(current);
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
            response.headers().set("X-Request-Id", current);
        }
        var unused = context.write(message, promise);
    }

    /** Nobody has to be unable to guess it. */
    private static String fresh() {
        var random = ThreadLocalRandom.current();
        return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
    }
}
