package millrace.gateway.server;

import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import millrace.gateway.server.netty.RequestIdHandler;
import millrace.runtime.telemetry.ServiceLogs;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What a request is called in its answer, in log events and on spans. As an element of the
 * propagated context it is on every thread that works on the request.
 */
public record RequestId(String text) implements ThreadPropagatedContextElement<String> {
    public static final String HEADER = "X-Request-Id";

    /**
     * The server has given one to each request. The framework hands out no headers of a request
     * whose target is malformed: the channel knows its id.
     */
    public static String of(HttpRequest<?> request) {
        @Nullable String id = request.getHeaders().get(HEADER);
        if (id == null && request instanceof NettyHttpRequest<?> netty) {
            id = netty.getChannelHandlerContext()
                    .channel()
                    .attr(RequestIdHandler.CURRENT)
                    .get();
        }
        return id == null ? "" : id;
    }

    @Override
    public @Nullable String updateThreadContext() {
        @Nullable String before = MDC.get(ServiceLogs.REQUEST);
        MDC.put(ServiceLogs.REQUEST, text);
        return before;
    }

    @Override
    public void restoreThreadContext(@Nullable String before) {
        if (before == null) {
            MDC.remove(ServiceLogs.REQUEST);
        } else {
            MDC.put(ServiceLogs.REQUEST, before);
        }
    }
}
