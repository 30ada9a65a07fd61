package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangePhase;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.address.AllowedAddresses;
import org.junit.jupiter.api.Test;

/** One deadline over all phases: a receiver that hangs in one of them, on real sockets, and the record that names it. */
class HangingReceiverTest {
    private static final Duration DEADLINE = Duration.ofMillis(500);
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

    @Test
    void aNameServerThatIsSilent() throws Exception {
        try (var silent = new DatagramSocket(0, HERE);
                var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
                var dns = new DnsLookup(
                        group.next(),
                        new SingletonDnsServerAddressStreamProvider(
                                new InetSocketAddress(HERE, silent.getLocalPort())));
                WebhookSender sender = WebhookSender.start(
                        loopback(),
                        DEADLINE,
                        InstantSource.system(),
                        SslContextBuilder.forClient().build(),
                        dns)) {
            assertThat(timedOut(sender, "https://hooks.example/", "{}")).isEqualTo(ExchangePhase.RESOLVE);
        }
    }

    @Test
    void aHostThatTakesNoConnection() throws Exception {
        List<Socket> fillers = new ArrayList<>();
        try (var full = new ServerSocket(0, 1, HERE);
                WebhookSender sender = sender()) {
            fill(full, fillers);
            assertThat(timedOut(sender, "http://127.0.0.1:" + full.getLocalPort(), "{}"))
                    .isEqualTo(ExchangePhase.CONNECT);
        } finally {
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void aServerThatIsSilentWhenAskedForTls() throws Exception {
        try (var silent = new ServerSocket(0, 1, HERE);
                WebhookSender sender = sender()) {
            assertThat(timedOut(sender, "https://127.0.0.1:" + silent.getLocalPort(), "{}"))
                    .isEqualTo(ExchangePhase.TLS);
        }
    }

    @Test
    void aServerThatDoesNotReadTheRequest() throws Exception {
        try (var deaf = new ServerSocket(0, 1, HERE);
                WebhookSender sender = sender()) {
            assertThat(timedOut(sender, "http://127.0.0.1:" + deaf.getLocalPort(), "x".repeat(32 << 20)))
                    .isEqualTo(ExchangePhase.SEND);
        }
    }

    @Test
    void aServerThatReadsAndDoesNotAnswer() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> wire.pause(600_000));
                WebhookSender sender = sender()) {
            assertThat(timedOut(sender, receiver.url(), "{}")).isEqualTo(ExchangePhase.HEADERS);
        }
    }

    @Test
    void aServerThatStopsWithinTheBody() throws Exception {
        ScriptedReceiver.Script script = (request, wire) -> {
            wire.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
            wire.pause(600_000);
        };
        try (ScriptedReceiver receiver = ScriptedReceiver.start(script);
                WebhookSender sender = sender()) {
            assertThat(timedOut(sender, receiver.url(), "{}")).isEqualTo(ExchangePhase.BODY);
        }
    }

    /** The phase that ate the time: it has most of the deadline to itself. */
    private static ExchangePhase timedOut(WebhookSender sender, String url, String body) throws Exception {
        var webhook = new Webhook(url, "a.1", body, WebhookSigner.of(List.of("QUFB")));
        Exchange exchange = sender.send(webhook).get();
        assertThat(exchange).isInstanceOf(Exchange.TimedOut.class);
        ExchangePhase phase = ((Exchange.TimedOut) exchange).phase();
        assertThat(exchange.timings().phases()).containsKey(phase);
        assertThat(exchange.timings().total()).isGreaterThanOrEqualTo(DEADLINE);
        return phase;
    }

    private static WebhookSender sender() {
        return WebhookSender.start(loopback(), DEADLINE, InstantSource.system());
    }

    private static AllowedAddresses loopback() {
        return AllowedAddresses.publicAnd(List.of("127.0.0.0/8"));
    }

    /** Connects until the backlog is full, from when on the system leaves connections without an answer. */
    private static void fill(ServerSocket server, List<Socket> fillers) throws Exception {
        while (true) {
            Socket filler = new Socket();
            fillers.add(filler);
            try {
                filler.connect(server.getLocalSocketAddress(), 300);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }
}
