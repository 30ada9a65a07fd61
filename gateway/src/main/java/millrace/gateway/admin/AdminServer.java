package millrace.gateway.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import millrace.gateway.netty.ConnectionHandlers;
import millrace.gateway.settings.AdminSettings;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.settings.TlsSettings;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/** The server of the admin API: a port of its own, with connections as those of the public API. */
public final class AdminServer implements AutoCloseable {
    private static final String CODEC = "http-codec";
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private final Channel listening;
    private final EventLoopGroup eventLoop;
    private final ExecutorService threads;
    private final boolean secure;

    private AdminServer(Channel listening, EventLoopGroup eventLoop, ExecutorService threads, boolean secure) {
        this.listening = listening;
        this.eventLoop = eventLoop;
        this.threads = threads;
        this.secure = secure;
    }

    /**
     * Empty where the settings name no keys.
     *
     * @throws SettingsException in one line, where the port is taken or the keys cannot be used
     */
    public static Optional<AdminServer> start(GatewaySettings settings, AdminAccounts accounts) {
        AdminSettings admin = settings.admin();
        if (admin.keys() == null) {
            return Optional.empty();
        }
        var calls = new Calls(AdminKeys.read(admin.keys()), accounts.routes());
        SslContext tls = tls(settings.tls());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        var eventLoop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("admin-api", true), NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(eventLoop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new Pipeline(tls, settings.connection(), calls, threads))
                .bind(admin.host(), admin.port())
                .awaitUninterruptibly();
        var server = new AdminServer(bound.channel(), eventLoop, threads, tls != null);
        if (!bound.isSuccess()) {
            server.close();
            throw new SettingsException(
                    bound.cause() instanceof BindException taken
                            ? "gateway.admin.port " + admin.port() + " of " + admin.host() + " is taken: "
                                    + taken.getMessage()
                            : "the admin API cannot be served: " + bound.cause());
        }
        return Optional.of(server);
    }

    private static @Nullable SslContext tls(TlsSettings settings) {
        if (settings.keyStore() == null) {
            return null;
        }
        try {
            return Tls.server(settings.keyStore(), String.valueOf(settings.password()));
        } catch (IOException | GeneralSecurityException e) {
            throw new SettingsException("gateway.tls.key-store " + settings.keyStore() + " cannot be used: " + e);
        }
    }

    /** Where it listens, {@code http://127.0.0.1:port}, or {@code https}. */
    public URI address() {
        var at = (InetSocketAddress) listening.localAddress();
        String scheme = secure ? "https://" : "http://";
        return URI.create(scheme + at.getAddress().getHostAddress() + ":" + at.getPort());
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        threads.shutdownNow();
        eventLoop
                .shutdownGracefully(0, LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(LAST_ANSWERS.toMillis());
    }

    private static final class Pipeline extends ChannelInitializer<SocketChannel> {
        private final @Nullable SslContext tls;
        private final ConnectionSettings settings;
        private final Calls calls;
        private final ExecutorService threads;

        Pipeline(@Nullable SslContext tls, ConnectionSettings settings, Calls calls, ExecutorService threads) {
            this.tls = tls;
            this.settings = settings;
            this.calls = calls;
            this.threads = threads;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            if (tls != null) {
                channel.pipeline().addLast(tls.newHandler(channel.alloc()));
            }
            var codec = new HttpServerCodec(new HttpDecoderConfig()
                    .setMaxInitialLineLength(settings.maxHeaderBytes())
                    .setMaxHeaderSize(settings.maxHeaderBytes()));
            channel.pipeline()
                    .addLast(new IdleStateHandler(0, 0, settings.idle().toMillis(), TimeUnit.MILLISECONDS))
                    .addLast(CODEC, codec);
            ConnectionHandlers.addTo(channel, CODEC, settings);
            channel.pipeline().addLast(new AdminConnection(calls, threads));
        }
    }
}
