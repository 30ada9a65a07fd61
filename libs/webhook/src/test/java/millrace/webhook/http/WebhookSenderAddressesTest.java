package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangePhase;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.address.AllowedAddresses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, and the addresses behind them. */
class WebhookSenderAddressesTest {
    private static final AllowedAddresses LOOPBACK = AllowedAddresses.publicAnd(List.of("127.0.0.1"));
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:%d/", "http://localhost:%d/", "http://LOCALHOST.:%d/", "http://[::1]:%d/",
                "http://[::ffff:127.0.0.1]:%d/", "http://[::ffff:7f00:1]:%d/", "http://0.0.0.0:%d/", "http://[::]:%d/",
                "http://2130706433:%d/", "http://0177.0.0.1:%d/", "http://0x7f.1:%d/", "http://127.1:%d/"
            })
    void theReceiverOfThisMachineIsNotReached(String url) throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK", "");
                WebhookSender sender =
                        WebhookSender.start(AllowedAddresses.publicAnd(List.of()), DEADLINE, InstantSource.system())) {
            assertThat(send(sender, url.formatted(receiver.port()))).isInstanceOf(Exchange.Blocked.class);
            assertThat(receiver.connections).hasValue(0);
        }
    }

    @Test
    void aNameIsCheckedByTheAddressThatIsConnectedTo() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK\r\nconnection: close", "");
                WebhookSender sender = sender(LOOPBACK, changing("127.0.0.1", "127.0.0.2", "10.0.0.1"))) {
            String url = "http://changing.example:" + receiver.port();
            assertThat(send(sender, url)).isInstanceOf(Exchange.Answered.class);
            assertThat(send(sender, url)).isInstanceOf(Exchange.Blocked.class);
            assertThat(send(sender, url)).isInstanceOf(Exchange.Blocked.class);
            assertThat(receiver.connections).hasValue(1);
        }
    }

    @Test
    void ofSeveralAddressesOnlyTheAllowedAreTried() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK", "");
                WebhookSender sender =
                        sender(LOOPBACK, host -> found(List.of(ip("127.0.0.2"), ip("10.0.0.1"), ip("127.0.0.1"))))) {
            assertThat(send(sender, "http://several.example:" + receiver.port()))
                    .isInstanceOf(Exchange.Answered.class);
        }
    }

    @Test
    void aNameWithoutAddressIsAFailure() throws Exception {
        try (WebhookSender sender =
                sender(LOOPBACK, host -> CompletableFuture.failedFuture(new UnknownHostException(host)))) {
            assertThat(send(sender, "http://nowhere.example").sentence())
                    .isEqualTo("Failed while looking up the host: the host has no address.");
        }
    }

    @Test
    void aLookupThatHangsEndsAtTheDeadline() throws Exception {
        Duration shortDeadline = Duration.ofMillis(300);
        try (WebhookSender sender = WebhookSender.start(
                LOOPBACK, shortDeadline, InstantSource.system(), trustNobody(), host -> new CompletableFuture<>())) {
            assertThat(send(sender, "http://hanging.example"))
                    .isInstanceOfSatisfying(
                            Exchange.TimedOut.class, e -> assertThat(e.phase()).isEqualTo(ExchangePhase.RESOLVE));
        }
    }

    private static Exchange send(WebhookSender sender, String url) throws Exception {
        return sender.send(new Webhook(url, "a.1", "{}", WebhookSigner.of(List.of("QUFB"))))
                .get();
    }

    private static WebhookSender sender(AllowedAddresses allowed, HostLookup lookup) throws Exception {
        return WebhookSender.start(allowed, DEADLINE, InstantSource.system(), trustNobody(), lookup);
    }

    private static SslContext trustNobody() throws Exception {
        return SslContextBuilder.forClient().build();
    }

    /** A name whose address is another one each time it is looked up, the last one from then on. */
    private static HostLookup changing(String... addresses) {
        var lookups = new AtomicInteger();
        return host -> found(List.of(ip(addresses[Math.min(lookups.getAndIncrement(), addresses.length - 1)])));
    }

    private static CompletionStage<List<InetAddress>> found(List<InetAddress> addresses) {
        return CompletableFuture.completedFuture(addresses);
    }

    private static InetAddress ip(String literal) {
        return InetAddress.ofLiteral(literal);
    }
}
