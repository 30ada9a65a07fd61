package millrace.gateway.netty;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.GatewaySettings;

/** Guards every connection of the framework's server. */
@Singleton
@Requires(beans = GatewaySettings.class) // a server in the same class path that is no gateway has none
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
                return role == ChannelRole.CONNECTION ? new OfConnection(channel, settings) : this;
            }
        });
        return registry;
    }

    private record OfConnection(Channel channel, ConnectionSettings settings) implements NettyServerCustomizer {
        @Override
        public void onStreamPipelineBuilt() {
            String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
            if (channel.pipeline().get(codec) != null) {
                ConnectionHandlers.addTo(channel, codec, settings);
                channel.pipeline()
                        .addAfter(ConnectionHandlers.FRAMING, "millrace-ignored", new IgnoredHeadersHandler());
            }
        }
    }
}
