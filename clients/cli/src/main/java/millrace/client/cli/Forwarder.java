package millrace.client.cli;

import io.millrace.client.Transport;
import io.millrace.client.WebhookSecret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.client.cli.api.Http;
import millrace.client.cli.session.Failures;
import org.jspecify.annotations.Nullable;

/**
 * Sends webhooks to a receiver of the developer's own. As with the service, an event waits for the
 * first attempt of the one before it, and not for its retries.
 */
final class Forwarder implements AutoCloseable {
    /** The service's own: a receiver that is slower fails there, too. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** With so many under way the feed is not read on. */
    private static final int MOST_WAITING = 256;

    private static final int MOST_BYTES = 16 << 10;
    private static final int GONE = 410;

    private final Http http;
    private final URI receiver;
    private final WebhookSecret secret;
    private final List<Duration> retries;
    private final Consumer<Answer> answers;
    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("forwarder").unstarted(task));
    /** The position before each event that is not done, by its number. */
    private final TreeMap<Long, String> waiting = new TreeMap<>();

    private long number;
    private long failed;

    /**
     * @param retries the pauses between attempts
     * @param answers takes what became of each attempt
     */
    Forwarder(Http http, URI receiver, WebhookSecret secret, List<Duration> retries, Consumer<Answer> answers) {
        this.http = http;
        this.receiver = receiver;
        this.secret = secret;
        this.retries = retries;
        this.answers = answers;
    }

    /**
     * What became of an attempt.
     *
     * @param status of the receiver's answer; 0 if there is none
     * @param error why there is none, or ""
     * @param again when the next attempt follows; null: none does
     */
    record Answer(
            String id,
            int attempt,
            int status,
            String error,
            Duration took,
            boolean delivered,
            @Nullable Duration again) {}

    /**
     * Waits while too many are under way.
     *
     * @param before the position before the event
     */
    void forward(WebhookCopy webhook, String before) throws InterruptedException {
        room.acquire();
        long mine;
        synchronized (this) {
            mine = number++;
            waiting.put(mine, before);
        }
        sender.execute(() -> attempt(webhook, mine, 1));
    }

    /**
     * The position before the first event that is not done; what follows it may come twice.
     *
     * @param now the position if all are done
     */
    synchronized String position(String now) {
        return waiting.isEmpty() ? now : waiting.firstEntry().getValue();
    }

    synchronized int unfinished() {
        return waiting.size();
    }

    /** Events that were given up. */
    synchronized long failed() {
        return failed;
    }

    /** Waits until nothing is under way. */
    void finish() throws InterruptedException {
        room.acquire(MOST_WAITING);
        room.release(MOST_WAITING);
    }

    private void attempt(WebhookCopy webhook, long mine, int attempt) {
        long begin = System.nanoTime();
        int status = 0;
        String error = "";
        byte[] body = webhook.body().getBytes(StandardCharsets.UTF_8);
        String timestamp = Long.toString(Instant.now().getEpochSecond());
        Map<String, String> headers = Map.of(
                "Content-Type",
                "application/json",
                "User-Agent",
                "Millrace-Webhooks/1",
                "webhook-id",
                webhook.id(),
                "webhook-timestamp",
                timestamp,
                "webhook-signature",
                secret.sign(webhook.id(), timestamp, body));
        try (Transport.Response answer = http.send(new Transport.Request("POST", receiver, headers, body, TIMEOUT))) {
            answer.body().readNBytes(MOST_BYTES);
            status = answer.status();
        } catch (IOException e) {
            error = Failures.reason(e);
        } catch (RuntimeException e) {
            // Whatever it is, the events behind it must not wait for ever.
            error = e.toString();
        }
        boolean delivered = status >= 200 && status <= 299;
        boolean more = !delivered && status != GONE && attempt <= retries.size();
        Duration again = more ? retries.get(attempt - 1) : null;
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        answers.accept(new Answer(webhook.id(), attempt, status, error, took, delivered, again));
        if (again == null) {
            done(mine, delivered);
        } else {
            var unused =
                    sender.schedule(() -> attempt(webhook, mine, attempt + 1), again.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void done(long mine, boolean delivered) {
        synchronized (this) {
            waiting.remove(mine);
            failed += delivered ? 0 : 1;
        }
        room.release();
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }
}
