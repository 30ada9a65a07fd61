package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangePhase;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.address.AllowedAddresses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSenderTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String BODY = "{\"größe\":1}";
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration GENEROUS = Duration.ofSeconds(5);
    private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1");

    @Test
    void sendsOneSignedPost() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK", "thanks");
                WebhookSender sender = sender(GENEROUS)) {
            var answer = (Exchange.Answered) send(sender, receiver.url());
            assertThat(answer.success()).isTrue();
            assertThat(answer.text()).isEqualTo("thanks");
            assertThat(answer.timings().phases())
                    .containsOnlyKeys(
                            ExchangePhase.RESOLVE,
                            ExchangePhase.CONNECT,
                            ExchangePhase.SEND,
                            ExchangePhase.HEADERS,
                            ExchangePhase.BODY);
            ScriptedReceiver.Request request = receiver.requests.getFirst();
            assertThat(request.line()).isEqualTo("POST /hook?token=x HTTP/1.1");
            assertThat(request.body()).isEqualTo(BODY);
            assertThat(request.headers())
                    .containsEntry("content-type", "application/json")
                    .containsEntry("host", "127.0.0.1:" + receiver.port())
                    .containsEntry("webhook-id", "event.1");
            Map<String, List<String>> headers = request.headers().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, e -> List.of(e.getValue())));
            assertThatCode(() -> new com.standardwebhooks.Webhook(SECRET).verify(request.body(), headers))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            204 No Content            | 204 | true
            299 Custom                | 299 | true
            301 Moved                 | 301 | false
            302 Found                 | 302 | false
            304 Not Modified          | 304 | false
            307 Temporary Redirect    | 307 | false
            404 Not Found             | 404 | false
            410 Gone                  | 410 | false
            429 Too Many Requests     | 429 | false
            500 Internal Server Error | 500 | false
            503 Service Unavailable   | 503 | false
            """)
    void anyStatusIsAnAnswerAndNoRedirectIsFollowed(String line, int status, boolean success) throws Exception {
        try (ScriptedReceiver elsewhere = ScriptedReceiver.answering("HTTP/1.1 200 OK", "");
                ScriptedReceiver receiver =
                        ScriptedReceiver.answering("HTTP/1.1 " + line + "\r\nlocation: " + elsewhere.url(), "");
                WebhookSender sender = sender(GENEROUS)) {
            var answer = (Exchange.Answered) send(sender, receiver.url());
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.success()).isEqualTo(success);
            assertThat(elsewhere.requests).isEmpty();
        }
    }

    @Test
    void readsRetryAfter() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering(
                        "HTTP/1.1 429 Slow\r\nRetry-After: Mon, 02 Nov 2026 09:00:00 GMT", "");
                WebhookSender sender = sender(GENEROUS)) {
            assertThat(((Exchange.Answered) send(sender, receiver.url())).retryAfter())
                    .isEqualTo("2026-11-02T09:00:00Z");
        }
    }

    record Late(String what, ExchangePhase phase, ScriptedReceiver.Script script) {}

    static Stream<Late> late() {
        return Stream.of(
                new Late("answers too late", ExchangePhase.HEADERS, (request, wire) -> {
                    wire.pause(1000);
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                }),
                new Late("never answers", ExchangePhase.HEADERS, (request, wire) -> wire.pause(60_000)),
                new Late(
                        "drips header bytes",
                        ExchangePhase.HEADERS,
                        (request, wire) -> wire.drip("HTTP/1.1 200 OK\r\n".repeat(99), 50)),
                new Late("drips a body", ExchangePhase.BODY, (request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
                    wire.drip("x".repeat(1000), 50);
                }),
                new Late("drips a chunked body", ExchangePhase.BODY, (request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
                    for (int i = 0; i < 1000; i++) {
                        wire.write("1\r\nx\r\n");
                        wire.pause(50);
                    }
                }),
                new Late("stalls in the body", ExchangePhase.BODY, (request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
                    wire.pause(60_000);
                }),
                new Late("continues for ever", ExchangePhase.HEADERS, (request, wire) -> {
                    for (int i = 0; i < 1000; i++) {
                        wire.write("HTTP/1.1 102 Processing\r\n\r\n");
                        wire.pause(50);
                    }
                }));
    }

    @ParameterizedTest
    @MethodSource("late")
    void theDeadlineCoversTheWholeExchange(Late late) throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start(late.script());
                WebhookSender sender = sender(SHORT)) {
            Exchange exchange = send(sender, receiver.url());
            assertThat(exchange)
                    .isInstanceOfSatisfying(Exchange.TimedOut.class, timedOut -> assertThat(timedOut.phase())
                            .isEqualTo(late.phase()));
            assertThat(exchange.timings().total()).isBetween(SHORT, SHORT.plusMillis(500));
        }
    }

    @Test
    void aDrippingReceiverHasFailedAfterFiveSeconds() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n");
                    wire.drip("x".repeat(10_000), 100);
                });
                WebhookSender sender = sender(Duration.ofSeconds(5))) {
            Exchange exchange = send(sender, receiver.url());
            assertThat(exchange).isInstanceOf(Exchange.TimedOut.class);
            assertThat(exchange.timings().total()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5500));
            assertThat(exchange.sentence())
                    .isEqualTo("No complete answer within 5000 ms; the time ended while reading the body.");
        }
    }

    record Broken(String what, ExchangePhase phase, String reason, ScriptedReceiver.Script script) {}

    static Stream<Broken> broken() {
        return Stream.of(
                new Broken("closes at once", ExchangePhase.HEADERS, "closed", (request, wire) -> wire.close()),
                new Broken("resets", ExchangePhase.HEADERS, "", (request, wire) -> wire.reset()),
                new Broken("closes in the headers", ExchangePhase.HEADERS, "closed", (request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-le");
                    wire.close();
                }),
                new Broken("closes in the body", ExchangePhase.BODY, "closed", (request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
                    wire.close();
                }),
                new Broken("closes in a chunk", ExchangePhase.BODY, "closed", (request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab");
                    wire.close();
                }),
                new Broken(
                        "garbage",
                        ExchangePhase.HEADERS,
                        "not HTTP",
                        (request, wire) -> wire.write("SSH-2.0-x\r\n\r\n")),
                new Broken(
                        "a huge header",
                        ExchangePhase.HEADERS,
                        "the answer has more than 16 KiB of headers",
                        (request, wire) -> wire.write("HTTP/1.1 200 OK\r\nx: " + "y".repeat(20_000))),
                new Broken(
                        "a huge reason",
                        ExchangePhase.HEADERS,
                        "the answer has a line of more than 4 KiB",
                        (request, wire) -> wire.write("HTTP/1.1 200 " + "y".repeat(5_000) + "\r\n\r\n")),
                new Broken(
                        "two lengths",
                        ExchangePhase.HEADERS,
                        "not HTTP",
                        (request, wire) ->
                                wire.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab")),
                new Broken(
                        "a broken chunk size",
                        ExchangePhase.BODY,
                        "not HTTP",
                        (request, wire) -> wire.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n")));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aBrokenAnswerIsAFailure(Broken broken) throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start(broken.script());
                WebhookSender sender = sender(GENEROUS)) {
            Exchange exchange = send(sender, receiver.url());
            assertThat(exchange).isInstanceOfSatisfying(Exchange.Failed.class, failed -> {
                assertThat(failed.phase()).isEqualTo(broken.phase());
                assertThat(failed.reason()).contains(broken.reason()).doesNotContain("127.0.0.1");
            });
            assertThat(receiver.requests).hasSize(1);
        }
    }

    /** What RFC 9112 lets a client accept, and other senders accept. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
                "\r\nHTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
            })
    void careless(String answer) throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> wire.write(answer));
                WebhookSender sender = sender(GENEROUS)) {
            for (int i = 0; i < 2; i++) { // the connection goes on
                assertThat(send(sender, receiver.url())).isInstanceOfSatisfying(Exchange.Answered.class, answered -> {
                    assertThat(answered.status()).isEqualTo(200);
                    assertThat(answered.text()).isEqualTo("ok");
                });
            }
            assertThat(receiver.connections).hasValue(1);
        }
    }

    @Test
    void aHugeBodyIsKeptTo16KiB() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n" + "x".repeat(20_000));
                    wire.pause(60_000);
                });
                WebhookSender sender = sender(GENEROUS)) {
            var answer = (Exchange.Answered) send(sender, receiver.url());
            assertThat(answer.success()).isTrue();
            assertThat(answer.text()).hasSize(16 * 1024);
        }
    }

    @Test
    void connectionsAreUsedAgain() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.answering("HTTP/1.1 200 OK", "");
                WebhookSender sender = sender(GENEROUS)) {
            for (int i = 0; i < 5; i++) {
                assertThat(send(sender, receiver.url())).isInstanceOf(Exchange.Answered.class);
            }
            assertThat(receiver.connections).hasValue(1);
            assertThat(receiver.requests).hasSize(5);
            assertThat(send(sender, receiver.url()).timings().phases()).doesNotContainKey(ExchangePhase.CONNECT);
        }
    }

    @Test
    void aKeptConnectionThatTheReceiverClosedIsReplaced() throws Exception {
        var first = new java.util.concurrent.atomic.AtomicBoolean(true);
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                    if (!first.getAndSet(false)) {
                        return;
                    }
                    // Takes the second request, and closes without an answer.
                    wire.pause(200);
                    wire.close();
                });
                WebhookSender sender = sender(GENEROUS)) {
            assertThat(send(sender, receiver.url())).isInstanceOf(Exchange.Answered.class);
            assertThat(send(sender, receiver.url())).isInstanceOf(Exchange.Answered.class);
            assertThat(receiver.connections).hasValue(2);
        }
    }

    /** The request may have been acted on, so this one is the schedule's to repeat. */
    @Test
    void aKeptConnectionThatBreaksWithinTheAnswerIsAFailure() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> {
                    if (request.body().equals(BODY)) {
                        wire.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                    } else {
                        wire.write("HTTP/1");
                        wire.close();
                    }
                });
                WebhookSender sender = sender(GENEROUS)) {
            assertThat(send(sender, receiver.url())).isInstanceOf(Exchange.Answered.class);
            var second = new Webhook(receiver.url(), "event.2", "{}", WebhookSigner.of(List.of(SECRET)));
            assertThat(sender.send(second).get())
                    .isInstanceOfSatisfying(
                            Exchange.Failed.class, f -> assertThat(f.phase()).isEqualTo(ExchangePhase.HEADERS));
            assertThat(receiver.requests).hasSize(2);
        }
    }

    @Test
    void onlySoManyConnectionsAreKept() throws Exception {
        try (ScriptedReceiver receiver = ScriptedReceiver.start((request, wire) -> {
                    wire.pause(300);
                    wire.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                });
                WebhookSender sender = sender(GENEROUS)) {
            List<CompletableFuture<Exchange>> all = new ArrayList<>();
            for (int i = 0; i < 2 * ConnectionPool.MAX_KEPT_PER_RECEIVER; i++) {
                all.add(sender.send(webhook(receiver.url())));
            }
            assertThat(all).allSatisfy(f -> assertThat(f.get()).isInstanceOf(Exchange.Answered.class));
            await().atMost(Duration.ofSeconds(60)).until(() -> receiver.open() <= ConnectionPool.MAX_KEPT_PER_RECEIVER);
            assertThat(receiver.open()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void manyAtOnce(int threads) throws Exception {
        ScriptedReceiver.Script script = (request, wire) -> {
            wire.pause(200);
            wire.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        };
        try (ScriptedReceiver one = ScriptedReceiver.start(script);
                ScriptedReceiver other = ScriptedReceiver.start(script);
                WebhookSender sender = WebhookSender.start(
                        AllowedAddresses.publicAnd(LOOPBACK), GENEROUS, InstantSource.system(), threads)) {
            List<CompletableFuture<Exchange>> all = new ArrayList<>();
            for (int i = 0; i < 250; i++) {
                all.add(sender.send(webhook(one.url())));
                all.add(sender.send(webhook(other.url())));
            }
            assertThat(all).allSatisfy(f -> assertThat(f.get()).isInstanceOf(Exchange.Answered.class));
        }
    }

    @Test
    void aRefusedPort() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = socket.getLocalPort();
        }
        try (WebhookSender sender = sender(GENEROUS)) {
            assertThat(send(sender, "http://127.0.0.1:" + port).sentence())
                    .isEqualTo("Failed while connecting: the connection was refused.");
        }
    }

    private static Exchange send(WebhookSender sender, String url) throws Exception {
        return sender.send(webhook(url)).get();
    }

    private static Webhook webhook(String url) {
        return new Webhook(url, "event.1", BODY, WebhookSigner.of(List.of(SECRET)));
    }

    private static WebhookSender sender(Duration deadline) {
        return WebhookSender.start(AllowedAddresses.publicAnd(LOOPBACK), deadline, InstantSource.system());
    }
}
