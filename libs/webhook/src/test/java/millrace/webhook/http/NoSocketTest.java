package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.webhook.Exchange;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.address.AllowedAddresses;
import org.junit.jupiter.api.Test;

/** The system has no sockets left, for a while: no attempt may be lost, since its event would wait for ever. */
class NoSocketTest {
    private static final HostLookup TWO_ADDRESSES = host -> CompletableFuture.completedFuture(
            List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.1")));

    @Test
    void theAttemptFails() throws Exception {
        assertThat(send("http://hooks.example/", 2).sentence())
                .isEqualTo("Failed while connecting: the sender could not open a socket.");
    }

    @Test
    void theNextAddressIsTried() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK", "")) {
            assertThat(send("http://hooks.example:" + receiver.port() + "/", 1)).isInstanceOf(Exchange.Answered.class);
        }
    }

    /** @param missing so many sockets cannot be opened, in the words of Netty */
    private static Exchange send(String url, int missing) throws Exception {
        var left = new AtomicInteger(missing);
        ChannelFactory<Channel> sockets = () -> {
            if (left.getAndDecrement() > 0) {
                throw new ChannelException("Failed to open a socket.", new SocketException("Too many open files"));
            }
            return new NioSocketChannel();
        };
        Duration deadline = Duration.ofMinutes(1);
        try (var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())) {
            var connections = new ConnectionPool(
                    group.next(),
                    1,
                    sockets,
                    SslContextBuilder.forClient().build(),
                    TWO_ADDRESSES,
                    AllowedAddresses.publicAnd(List.of("127.0.0.1")),
                    deadline);
            var exchange = new RunningExchange(
                    new Webhook(url, "a.1", "{}", WebhookSigner.of(List.of("QUFB"))),
                    Destination.of(url),
                    connections,
                    deadline,
                    InstantSource.system());
            connections.loop().execute(exchange::start);
            return exchange.result().get(30, TimeUnit.SECONDS);
        }
    }
}
