package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangePhase;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.address.AllowedAddresses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom TLS trusts, against a real TLS server. */
class ReceiverTlsTest {
    private static final X509Bundle AUTHORITY = authority("CN=Trusted");
    private static final X509Bundle STRANGER = authority("CN=Stranger");

    @Test
    void aCertificateOfTheRightNameFromATrustedIssuer() throws Exception {
        try (ScriptedReceiver receiver = receiver(issued("hooks.example", 30).buildIssuedBy(AUTHORITY));
                WebhookSender sender = trusting(AUTHORITY)) {
            Exchange first = send(sender, receiver);
            assertThat(first).isInstanceOf(Exchange.Answered.class);
            assertThat(first.timings().phases())
                    .containsOnlyKeys(
                            ExchangePhase.RESOLVE,
                            ExchangePhase.CONNECT,
                            ExchangePhase.TLS,
                            ExchangePhase.SEND,
                            ExchangePhase.HEADERS,
                            ExchangePhase.BODY);
            assertThat(send(sender, receiver).timings().phases()).doesNotContainKey(ExchangePhase.TLS);
            assertThat(receiver.connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            expired      | NotAfter
            of a stranger| unable to find valid certification path
            self-signed  | unable to find valid certification path
            wrong name   | No subject alternative DNS name matching hooks.example found
            not yet      | NotBefore
            """)
    void anyOtherCertificateIsAFailureAndNothingIsSent(String kind, String reason) throws Exception {
        X509Bundle certificate =
                switch (kind) {
                    case "expired" -> issued("hooks.example", -1).buildIssuedBy(AUTHORITY);
                    case "of a stranger" -> issued("hooks.example", 30).buildIssuedBy(STRANGER);
                    case "self-signed" ->
                        issued("hooks.example", 30)
                                .setIsCertificateAuthority(true)
                                .buildSelfSigned();
                    case "wrong name" -> issued("other.example", 30).buildIssuedBy(AUTHORITY);
                    default ->
                        issued("hooks.example", 30)
                                .notBefore(Instant.now().plus(Duration.ofDays(1)))
                                .buildIssuedBy(AUTHORITY);
                };
        try (ScriptedReceiver receiver = receiver(certificate);
                WebhookSender sender = trusting(AUTHORITY)) {
            assertThat(send(sender, receiver)).isInstanceOfSatisfying(Exchange.Failed.class, failed -> {
                assertThat(failed.phase()).isEqualTo(ExchangePhase.TLS);
                assertThat(failed.reason()).startsWith("TLS failed, ").contains(reason);
            });
            assertThat(receiver.requests).isEmpty();
        }
    }

    @Test
    void aServerThatSpeaksNoTls() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK", "");
                WebhookSender sender = trusting(AUTHORITY)) {
            receiver.greetWith("HTTP/1.1 400 Bad Request\r\n\r\n");
            assertThat(send(sender, receiver)).isInstanceOfSatisfying(Exchange.Failed.class, f -> assertThat(f.phase())
                    .isEqualTo(ExchangePhase.TLS));
        }
    }

    private static Exchange send(WebhookSender sender, ScriptedReceiver receiver) throws Exception {
        String url = "https://hooks.example:" + receiver.port() + "/";
        return sender.send(new Webhook(url, "a.1", "{}", WebhookSigner.of(List.of("QUFB"))))
                .get();
    }

    private static WebhookSender trusting(X509Bundle authority) throws Exception {
        SslContext tls = SslContextBuilder.forClient()
                .trustManager(authority.getCertificate())
                .build();
        return WebhookSender.start(
                AllowedAddresses.publicAnd(List.of("127.0.0.1")),
                Duration.ofSeconds(60),
                InstantSource.system(),
                tls,
                host -> CompletableFuture.completedFuture(List.of(InetAddress.ofLiteral("127.0.0.1"))));
    }

    private static ScriptedReceiver receiver(X509Bundle certificate) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        return new ScriptedReceiver(
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")),
                (request, wire) -> wire.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    }

    private static X509Bundle authority(String name) {
        try {
            return new CertificateBuilder()
                    .subject(name)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static CertificateBuilder issued(String name, int days) {
        return new CertificateBuilder()
                .subject("CN=" + name)
                .addSanDnsName(name)
                .notBefore(Instant.now().minus(Duration.ofDays(60)))
                .notAfter(Instant.now().plus(Duration.ofDays(days)));
    }
}
