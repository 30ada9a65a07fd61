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
        @Override
        public void onStreamPipelineBuilt() {
            String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
            if (channel.pipeline().get(codec) != null) {
                ConnectionHandlers.addTo(channel, codec, settings);
                channel.pipeline()
                        .addAfter(ConnectionHandlers.FRAMING, "millrace-request-id", new RequestIdHandler())
                        .addAfter(ConnectionHandlers.FRAMING, "millrace-ignored", new IgnoredHeadersHandler())
                        .addAfter(ConnectionHandlers.FRAMING, "millrace-slashes", new RepeatedSlashHandler());
            }
        }
    }
}
