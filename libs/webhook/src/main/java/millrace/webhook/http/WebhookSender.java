package millrace.webhook.http;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookTransport;
import millrace.webhook.address.AllowedAddresses;
import org.jspecify.annotations.Nullable;

/**
 * Sends each webhook with one POST over HTTP/1.1, with one deadline from the lookup of the host to
 * the end of the answer's body. Does not follow redirects. Reuses connections. The caller bounds
 * how many exchanges run at the same time, which may be thousands.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of Netty: its failures reach the listeners
public final class WebhookSender implements WebhookTransport, AutoCloseable {
    /** Most URLs whose destinations are kept: with URLs of 2 KB some 5 MB. */
    private static final int MAX_DESTINATIONS = 1024;

    private final IoEventLoopGroup group;
    private final DnsLookup dns;
    private final List<ConnectionPool> connections;
    private final Duration deadline;
    private final InstantSource clock;
    /** By URL, least recently used first: an endpoint gets many webhooks. */
    private final Map<String, Destination> destinations =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Destination> eldest) {
                    return size() > MAX_DESTINATIONS;
                }
            });

    private WebhookSender(
            AllowedAddresses allowed,
            Duration deadline,
            InstantSource clock,
            int threads,
            SslContext tls,
            @Nullable HostLookup lookup) {
        this.group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("webhooks", true), NioIoHandler.newFactory());
        this.dns = new DnsLookup(group.next());
        this.deadline = deadline;
        this.clock = clock;
        this.connections = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            connections.add(new ConnectionPool(
                    group.next(),
                    threads,
                    NioSocketChannel::new,
                    tls,
                    lookup == null ? dns : lookup,
                    allowed,
                    deadline));
        }
    }

    /** A sender with one thread. */
    public static WebhookSender start(AllowedAddresses allowed, Duration deadline, InstantSource clock) {
        return start(allowed, deadline, clock, 1);
    }

    /**
     * @param deadline of one whole exchange
     * @param clock the time in signatures
     * @param threads number of event loops, between which the receivers are divided
     */
    public static WebhookSender start(AllowedAddresses allowed, Duration deadline, InstantSource clock, int threads) {
        try {
            return new WebhookSender(
                    allowed,
                    deadline,
                    clock,
                    threads,
                    SslContextBuilder.forClient().build(),
                    null);
        } catch (SSLException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    static WebhookSender start(
            AllowedAddresses allowed, Duration deadline, InstantSource clock, SslContext tls, HostLookup lookup) {
        return new WebhookSender(allowed, deadline, clock, 1, tls, lookup);
    }

    /**
     * {@inheritDoc} The result completes on a thread that must not be blocked. An exchange that
     * runs when the sender is closed may never complete.
     */
    @Override
    public CompletableFuture<Exchange> send(Webhook webhook) {
        Destination destination;
        try {
            destination = destination(webhook.url());
        } catch (URISyntaxException e) {
            return CompletableFuture.completedFuture(
                    new Exchange.Blocked("the URL " + e.getReason(), ExchangeTimings.NONE));
        }
        // One receiver always has the same loop, so that its connections need no locks.
        ConnectionPool own =
                connections.get(Math.floorMod(destination.connectionKey().hashCode(), connections.size()));
        var exchange = new RunningExchange(webhook, destination, own, deadline, clock);
        own.loop().execute(exchange::start);
        return exchange.result();
    }

    private Destination destination(String url) throws URISyntaxException {
        Destination known = destinations.get(url);
        if (known == null) {
            known = Destination.of(url);
            destinations.put(url, known);
        }
        return known;
    }

    @Override
    public void close() {
        dns.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
