package millrace.webhook.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import millrace.webhook.ExchangePhase;
import millrace.webhook.Webhook;
import org.jspecify.annotations.Nullable;

/**
 * One exchange, from the lookup of the host to the end of the answer. Runs on one event loop. The
 * first result counts; the deadline is one of them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of Netty: its failures reach the listeners
final class RunningExchange {
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final String USER_AGENT = "Millrace-Webhooks/1";

    private final Webhook webhook;
    private final Destination destination;
    private final ConnectionPool connections;
    private final Duration deadline;
    private final InstantSource clock;
    private final CompletableFuture<Exchange> result = new CompletableFuture<>();
    private final PhaseStopwatch watch = new PhaseStopwatch();
    private final AnswerText body = new AnswerText();
    private @Nullable Future<?> timeoutTask;
    private @Nullable Channel channel;
    private @Nullable HttpResponse answer;
    private boolean reused;
    private boolean informational;
    private boolean ended;

    RunningExchange(
            Webhook webhook,
            Destination destination,
            ConnectionPool connections,
            Duration deadline,
            InstantSource clock) {
        this.webhook = webhook;
        this.destination = destination;
        this.connections = connections;
        this.deadline = deadline;
        this.clock = clock;
    }

    CompletableFuture<Exchange> result() {
        return result;
    }

    void start() {
        try {
            begin();
        } catch (RuntimeException e) {
            fail(FailureReasons.of(e));
        }
    }

    private void begin() {
        // The time spent waiting for the loop counts.
        long remaining = deadline.minus(watch.total()).toNanos();
        timeoutTask = connections.loop().schedule(this::timeOut, remaining, TimeUnit.NANOSECONDS);
        Channel idle = connections.takeIdle(destination.connectionKey());
        if (idle == null) {
            resolve();
            return;
        }
        reused = true;
        channel = idle;
        send(idle);
    }

    private void resolve() {
        watch.enter(ExchangePhase.RESOLVE);
        Optional<InetAddress> literal = destination.literal();
        if (literal.isPresent()) {
            resolved(List.of(literal.get()));
            return;
        }
        connections
                .lookup(destination.host())
                .whenComplete((addresses, error) -> connections.loop().execute(() -> {
                    if (error == null) {
                        resolved(addresses);
                    } else {
                        fail("the host has no address");
                    }
                }));
    }

    /** Connects to the addresses that were checked; the name is not looked up again. */
    private void resolved(List<InetAddress> addresses) {
        if (ended) {
            return;
        }
        List<InetSocketAddress> allowed = addresses.stream()
                .filter(connections::allows)
                .map(a -> new InetSocketAddress(a, destination.port()))
                .toList();
        if (allowed.isEmpty()) {
            end(new Exchange.Blocked("webhooks may not go to the address of the host", watch.timings()), false);
        } else {
            connect(allowed.iterator());
        }
    }

    private void connect(Iterator<InetSocketAddress> addresses) {
        watch.enter(ExchangePhase.CONNECT);
        InetSocketAddress address = addresses.next();
        ChannelFuture connecting = connections.connect(address, !addresses.hasNext());
        if (connecting.cause() != null) {
            // There is no socket, for example because too many files are open. Netty's channel then has no event loop:
            // closing it throws, and its listeners are called on another thread.
            notConnected(connecting.cause(), addresses);
            return;
        }
        Channel connected = connecting.channel();
        channel = connected;
        connecting.addListener(f -> {
            if (ended) {
                connected.close();
            } else if (f.isSuccess()) {
                secure(connected);
            } else {
                notConnected(f.cause(), addresses);
            }
        });
    }

    private void notConnected(Throwable cause, Iterator<InetSocketAddress> addresses) {
        if (addresses.hasNext()) {
            connect(addresses);
        } else {
            fail(FailureReasons.of(cause));
        }
    }

    private void secure(Channel connected) {
        if (!destination.tls()) {
            send(connected);
            return;
        }
        watch.enter(ExchangePhase.TLS);
        var handler = connections.tlsFor(connected, destination);
        connected.pipeline().addFirst(handler);
        handler.handshakeFuture().addListener(f -> {
            if (ended) {
                connected.close();
            } else if (f.isSuccess()) {
                send(connected);
            } else {
                fail(FailureReasons.of(f.cause()));
            }
        });
    }

    private void send(Channel connected) {
        watch.enter(ExchangePhase.SEND);
        ResponseReader.of(connected).begin(this);
        connected.writeAndFlush(request()).addListener(f -> {
            if (!f.isSuccess()) {
                broken(FailureReasons.of(f.cause()));
            } else if (!ended && channel == connected && watch.phase() == ExchangePhase.SEND) {
                watch.enter(ExchangePhase.HEADERS);
            }
        });
    }

    /** The request of this attempt, signed with its time. */
    private FullHttpRequest request() {
        byte[] content = webhook.body().getBytes(StandardCharsets.UTF_8);
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, destination.target(), Unpooled.wrappedBuffer(content));
        request.headers()
                .set(HttpHeaderNames.HOST, destination.hostHeader())
                .set(HttpHeaderNames.USER_AGENT, USER_AGENT)
                .set(HttpHeaderNames.ACCEPT, "*/*")
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .setInt(HttpHeaderNames.CONTENT_LENGTH, content.length);
        if (webhook.traceparent() != null) {
            request.headers().set("traceparent", webhook.traceparent());
        }
        webhook.signature().headers(webhook.id(), clock.instant(), content).forEach(request.headers()::set);
        return request;
    }

    void head(HttpResponse response) {
        int status = response.status().code();
        if (response.decoderResult().isFailure()) {
            fail(FailureReasons.undecodable(response.decoderResult()));
        } else if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL && status != SWITCHING_PROTOCOLS) {
            informational = true;
        } else {
            watch.enter(ExchangePhase.BODY);
            answer = response;
            if (status == SWITCHING_PROTOCOLS) {
                answered(response, false);
            }
        }
    }

    void content(HttpContent content) {
        if (informational) {
            informational = !(content instanceof LastHttpContent);
            return;
        }
        if (content.decoderResult().isFailure() || answer == null) {
            fail(FailureReasons.undecodable(content.decoderResult()));
            return;
        }
        body.append(content.content());
        if (content instanceof LastHttpContent) {
            answered(answer, HttpUtil.isKeepAlive(answer));
        } else if (body.full()) {
            answered(answer, false); // the rest is not read
        }
    }

    private void answered(HttpResponse response, boolean keepConnection) {
        Instant retryAfter = RetryAfter.parse(response.headers().get(HttpHeaderNames.RETRY_AFTER), clock.instant());
        String text = body.text(response.headers());
        end(new Exchange.Answered(response.status().code(), retryAfter, text, watch.timings()), keepConnection);
    }

    /**
     * Handles a lost connection. The receiver may have closed a reused connection before it saw
     * this request. Where no byte of an answer arrived, the request is tried again on a new
     * connection, within the same deadline. Receivers recognise repeats by their id.
     */
    void broken(String reason) {
        if (!ended && reused && !begun()) {
            reused = false;
            release(false);
            resolve();
        } else {
            fail(reason);
        }
    }

    private boolean begun() {
        ResponseReader reader = channel == null ? null : ResponseReader.of(channel);
        return reader != null && reader.begun();
    }

    private void fail(String reason) {
        if (!ended) {
            end(new Exchange.Failed(watch.phase(), reason, watch.timings()), false);
        }
    }

    private void timeOut() {
        if (!ended) {
            end(new Exchange.TimedOut(watch.phase(), deadline, watch.timings()), false);
        }
    }

    private void end(Exchange exchange, boolean keepConnection) {
        ended = true;
        if (timeoutTask != null) {
            timeoutTask.cancel(false);
        }
        try {
            release(keepConnection);
        } finally {
            result.complete(exchange); // the caller waits for every exchange, for ever
        }
    }

    private void release(boolean keep) {
        Channel released = channel;
        channel = null;
        if (released == null) {
            return;
        }
        ResponseReader reader = ResponseReader.of(released);
        if (reader != null) {
            reader.end();
        }
        if (keep && released.isActive()) {
            connections.putIdle(destination.connectionKey(), released);
        } else {
            released.close();
        }
    }

    /** Measures the time of each phase of one exchange. For one thread. */
    private static final class PhaseStopwatch {
        private final long started = System.nanoTime();
        private final Map<ExchangePhase, Duration> phases = new EnumMap<>(ExchangePhase.class);
        private ExchangePhase phase = ExchangePhase.RESOLVE;
        private long since = started;
        private boolean entered;

        void enter(ExchangePhase next) {
            close();
            phase = next;
            entered = true;
        }

        ExchangePhase phase() {
            return phase;
        }

        /** Time since the beginning. */
        Duration total() {
            return Duration.ofNanos(System.nanoTime() - started);
        }

        ExchangeTimings timings() {
            close();
            return new ExchangeTimings(total(), Map.copyOf(phases));
        }

        private void close() {
            long now = System.nanoTime();
            if (entered) {
                phases.merge(phase, Duration.ofNanos(now - since), Duration::plus);
            }
            since = now;
        }
    }
}
