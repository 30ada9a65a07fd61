package millrace.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.netty.body.NettyByteBodyFactory;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import millrace.gateway.server.netty.RequestIdHandler;
import millrace.runtime.telemetry.ServiceLogs;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class RequestIdTest {
    /** As the framework makes the request of a message whose target is malformed. */
    @Test
    void isTheChannelsWhereTheRequestHasNoHeaders() {
        var channel = new EmbeddedChannel(new RequestIdHandler());
        var message = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/%zz");
        message.headers().set(RequestId.HEADER, "from-the_client.1");
        channel.writeInbound(message);
        var request = new NettyHttpRequest<>(
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"),
                NettyByteBodyFactory.empty(),
                channel.pipeline().firstContext(),
                ConversionService.SHARED,
                new HttpServerConfiguration());
        assertThat(RequestId.of(request)).isEqualTo("from-the_client.1");
    }

    @Test
    void isInLogEventsOfEveryThreadThatWorksOnTheRequest() {
        PropagatedContext context = PropagatedContext.getOrEmpty().plus(new RequestId("r-1"));
        try (var _ = context.propagate()) {
            assertThat(MDC.get(ServiceLogs.REQUEST)).isEqualTo("r-1");
            Supplier<String> named = () -> String.valueOf(MDC.get(ServiceLogs.REQUEST));
            assertThat(CompletableFuture.supplyAsync(PropagatedContext.wrapCurrent(named))
                            .join())
                    .isEqualTo("r-1");
        }
        assertThat(MDC.get(ServiceLogs.REQUEST)).isNull();
    }
}
