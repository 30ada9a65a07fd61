package millrace.gateway.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import millrace.gateway.ConnectionSettings;
import millrace.gateway.GatewaySettings;
import org.jspecify.annotations.Nullable;

/**
 * Ends connections whose requests take too long to arrive: who sends a byte now and then is never idle, but holds a
 * connection, and with a body a thread. Where the gateway itself ends one in the middle of a body, {@link LingeringClose} lets
 * the client see the answer.
 */
@Singleton
@Requires(beans = GatewaySettings.class) // a server in the same class path that is no gateway has none
final class RequestDeadlines implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private final ConnectionSettings settings;

    RequestDeadlines(GatewaySettings settings) {
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

    /** Of one connection; all on its event loop. */
    private static final class OfConnection implements NettyServerCustomizer {
        private final Channel channel;
        private final ConnectionSettings settings;
        private @Nullable ScheduledFuture<?> deadline;
        private boolean inBody;

        OfConnection(Channel channel, ConnectionSettings settings) {
            this.channel = channel;
            this.settings = settings;
        }

        @Override
        public void onStreamPipelineBuilt() {
            String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
            if (channel.pipeline().get(codec) == null) {
                return;
            }
            channel.pipeline().addBefore(codec, "millrace-bytes", new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object bytes) {
                    if (deadline == null && !inBody) {
                        within(settings.headersWithin());
                    }
                    context.fireChannelRead(bytes);
                }

                @Override
                public void channelInactive(ChannelHandlerContext context) {
                    done();
                    context.fireChannelInactive();
                }
            });
            channel.pipeline().addBefore(codec, "millrace-close", new LingeringClose(() -> inBody));
            channel.pipeline().addAfter(codec, "millrace-requests", new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    if (message instanceof HttpRequest) {
                        inBody = true;
                        within(settings.bodyWithin());
                    }
                    if (message instanceof LastHttpContent) {
                        inBody = false;
                        done();
                    }
                    context.fireChannelRead(message);
                }
            });
            within(settings.headersWithin());
        }

        private void within(Duration patience) {
            done();
            deadline = channel.eventLoop().schedule(this::cutOff, patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void cutOff() {
            inBody = false;
            var unused = channel.close();
        }

        private void done() {
            if (deadline != null) {
                deadline.cancel(false);
                deadline = null;
            }
        }
    }
}
