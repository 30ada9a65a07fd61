package millrace.gateway.server.netty;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.GatewaySettings;

/** Adds the handlers of this package to every connection of Micronaut's server. */
@Singleton
@Requires(beans = GatewaySettings.class) // other servers of the class path have none
final class GatewayServerCustomizer implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private final ConnectionSettings settings;

    GatewayServerCustomizer(GatewaySettings settings) {
        this.settings = settings.connection();
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(new NettyServerCustomizer() {
            @Override
            public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
                return role == ChannelRole.CONNECTION ? new ConnectionCustomizer(channel, settings) : this;
            }
        });
        return registry;
    }

    private record ConnectionCustomizer(Channel channel, ConnectionSettings settings) implements NettyServerCustomizer {
        private static final String FRAMING = "millrace-framing";

        /**
         * Runs on the connection's event loop before anything is read. Clients can read the response where the gateway
         * ends a connection in the middle of a body.
         */
        @Override
        public void onStreamPipelineBuilt() {
            String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
            if (channel.pipeline().get(codec) == null) {
                return;
            }
            var deadlines = new RequestDeadlines(channel, settings);
            var heads = new RequestHeadCheck(settings.maxHeaderBytes());
            channel.pipeline()
                    .addBefore(codec, "millrace-bytes", deadlines.byteHandler())
                    .addBefore(codec, "millrace-close", new LingeringCloseHandler(deadlines::receiving))
                    .addAfter(codec, FRAMING, new MessageFramingHandler(heads))
                    .addAfter(codec, "millrace-http-1.0", new Http10Handler())
                    .addAfter(codec, "millrace-one-by-one", new SequentialRequestHandler())
                    .addAfter(codec, "millrace-requests", deadlines.requestHandler())
                    .addAfter(FRAMING, "millrace-request-id", new RequestIdHandler())
                    .addAfter(FRAMING, "millrace-heads", new RequestHeadCleaner());
        }
    }
}
