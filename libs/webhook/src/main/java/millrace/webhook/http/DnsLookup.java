package millrace.webhook.http;

import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Looks up hosts with the system's name servers and hosts file on an event loop, so that a name
 * server that hangs costs memory and not threads. Caches answers for their TTL, at most a minute.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of Netty: its failures reach the listeners
final class DnsLookup implements HostLookup, AutoCloseable {
    private static final int MAX_TTL_SECONDS = 60;
    private static final int QUERY_MILLIS = 2000;

    private final DnsNameResolver resolver;

    DnsLookup(EventLoop loop) {
        this(loop, DnsServerAddressStreamProviders.platformDefault());
    }

    /** @param servers name servers in place of the system's */
    DnsLookup(EventLoop loop, DnsServerAddressStreamProvider servers) {
        resolver = new DnsNameResolverBuilder(loop)
                .datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .queryTimeoutMillis(QUERY_MILLIS)
                .ttl(0, MAX_TTL_SECONDS)
                .nameServerProvider(servers)
                .build();
    }

    @Override
    public CompletionStage<List<InetAddress>> addresses(String host) {
        var result = new CompletableFuture<List<InetAddress>>();
        resolver.resolveAll(host).addListener((io.netty.util.concurrent.Future<List<InetAddress>> f) -> {
            if (f.isSuccess()) {
                result.complete(f.getNow());
            } else {
                result.completeExceptionally(f.cause());
            }
        });
        return result;
    }

    @Override
    public void close() {
        resolver.close();
    }
}
