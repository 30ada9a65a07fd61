package millrace.webhook.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import millrace.webhook.address.AllowedAddresses;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, with idle ones by scheme, host and port. All methods must be
 * called on that loop. An idle connection goes to the address that was checked when it was opened.
 * Its age is limited, so that a receiver that moves to another address is noticed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of Netty: its failures reach the listeners
final class ConnectionPool {
    /** A client may accept lines that end with LF alone, and one length that is said twice (RFC 9112). */
    private static final HttpDecoderConfig ANSWERS = new HttpDecoderConfig()
            .setMaxInitialLineLength(4096)
            .setMaxHeaderSize(16 * 1024)
            .setMaxChunkSize(8192)
            .setStrictLineParsing(false)
            .setAllowDuplicateContentLengths(true);

    private static final Duration MAX_IDLE = Duration.ofSeconds(30);
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    static final int MAX_KEPT_PER_RECEIVER = 32;
    /** Most idle connections of all loops together. */
    static final int MAX_KEPT = 4096;

    private final EventLoop loop;
    private final SslContext tls;
    private final HostLookup lookup;
    private final AllowedAddresses allowed;
    private final int maxKept;
    private final Bootstrap bootstrap;
    private final Bootstrap hurried;
    private final Map<String, Deque<Idle>> idle = new HashMap<>();
    /** All idle connections, least recently used first. */
    private final Set<Idle> kept = new LinkedHashSet<>();

    private record Idle(String key, Channel channel, long since) {}

    /**
     * @param loops number of event loops that share the limit of idle connections
     * @param sockets makes the channels of connections
     */
    ConnectionPool(
            EventLoop loop,
            int loops,
            ChannelFactory<Channel> sockets,
            SslContext tls,
            HostLookup lookup,
            AllowedAddresses allowed,
            Duration deadline) {
        this.loop = loop;
        this.maxKept = MAX_KEPT / loops;
        this.tls = tls;
        this.lookup = lookup;
        this.allowed = allowed;
        this.bootstrap = bootstrap(loop, sockets, deadline);
        this.hurried = bootstrap(loop, sockets, deadline.dividedBy(2));
        long period = MAX_IDLE.dividedBy(2).toMillis();
        loop.scheduleWithFixedDelay(this::closeOldIdle, period, period, TimeUnit.MILLISECONDS);
    }

    EventLoop loop() {
        return loop;
    }

    CompletionStage<List<InetAddress>> lookup(String host) {
        return lookup.addresses(host);
    }

    boolean allows(InetAddress address) {
        return allowed.allows(address);
    }

    /**
     * @param last whether there is no further address to try; otherwise half of the deadline is
     *     left for the next one
     * @return completes later, on the loop; it has failed already where no socket could be opened
     */
    ChannelFuture connect(InetSocketAddress address, boolean last) {
        return (last ? bootstrap : hurried).connect(address);
    }

    SslHandler tlsFor(Channel channel, Destination destination) {
        SslHandler handler = tls.newHandler(channel.alloc(), destination.host(), destination.port());
        handler.setHandshakeTimeoutMillis(0); // the deadline of the exchange bounds it
        return handler;
    }

    /** Removes the most recently used open connection; null where there is none. */
    @Nullable
    Channel takeIdle(String key) {
        Deque<Idle> connections = idle.get(key);
        while (connections != null && !connections.isEmpty()) {
            Idle last = connections.getLast();
            forget(last);
            if (last.channel().isActive()) {
                return last.channel();
            }
        }
        return null;
    }

    /**
     * Keeps the connection for the next request, or closes it where it is too old. Above a limit
     * the least recently used connection is closed.
     */
    void putIdle(String key, Channel channel) {
        if (ResponseReader.of(channel).age().compareTo(MAX_AGE) > 0) {
            channel.close();
            return;
        }
        Deque<Idle> connections = idle.computeIfAbsent(key, k -> new ArrayDeque<>(1));
        var added = new Idle(key, channel, System.nanoTime());
        connections.addLast(added);
        kept.add(added);
        if (connections.size() > MAX_KEPT_PER_RECEIVER) {
            close(connections.getFirst());
        } else if (kept.size() > maxKept) {
            close(kept.iterator().next());
        }
    }

    private void closeOldIdle() {
        long now = System.nanoTime();
        List.copyOf(kept).stream()
                .takeWhile(i -> now - i.since() > MAX_IDLE.toNanos())
                .forEach(this::close);
    }

    private void close(Idle connection) {
        forget(connection);
        connection.channel().close();
    }

    private void forget(Idle connection) {
        kept.remove(connection);
        Deque<Idle> connections = idle.get(connection.key());
        if (connections != null && connections.remove(connection) && connections.isEmpty()) {
            idle.remove(connection.key());
        }
    }

    private static Bootstrap bootstrap(EventLoop loop, ChannelFactory<Channel> sockets, Duration timeout) {
        return new Bootstrap()
                .group(loop)
                .channelFactory(sockets)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        var reader = new ResponseReader();
                        channel.pipeline()
                                .addLast(reader.firstByte())
                                .addLast(new HttpClientCodec(ANSWERS, false, false))
                                .addLast(reader);
                    }
                });
    }
}
