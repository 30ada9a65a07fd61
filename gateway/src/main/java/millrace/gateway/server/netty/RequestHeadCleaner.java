package millrace.gateway.server.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.util.regex.Pattern;

/**
 * Changes the head of a request before any filter or route looks at it: makes one slash of several in a path, as programs
 * send them that put an address with a slash at its end before a path; and removes headers that mean nothing to the API
 * and that Micronaut fails on for some values. All responses are in English.
 */
final class RequestHeadCleaner extends ChannelInboundHandlerAdapter {
    private static final Pattern SLASHES = Pattern.compile("/{2,}");
    private static final String AFTER_SCHEME = "://";

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            request.headers().remove(HttpHeaderNames.ACCEPT_CHARSET).remove(HttpHeaderNames.ACCEPT_LANGUAGE);
            if (request.uri().contains("//")) {
                request.setUri(withoutRepeatedSlashes(request.uri()));
            }
        }
        context.fireChannelRead(message);
    }

    /** @param target of the request line: a path, or a whole address */
    static String withoutRepeatedSlashes(String target) {
        int end = target.length();
        for (char c : new char[] {'?', '#'}) {
            int at = target.indexOf(c);
            end = at >= 0 && at < end ? at : end;
        }
        int scheme = target.startsWith("/") ? -1 : target.indexOf(AFTER_SCHEME);
        int path = scheme < 0 || scheme >= end ? 0 : scheme + AFTER_SCHEME.length();
        return target.substring(0, path)
                + SLASHES.matcher(target.substring(path, end)).replaceAll("/")
                + target.substring(end);
    }
}
