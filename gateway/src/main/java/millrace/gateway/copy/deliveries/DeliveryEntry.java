package millrace.gateway.copy.deliveries;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The row of a delivery, while records are folded into it. The result does not depend on the order of the records about
 * it, or on how often they are folded. Of one thread.
 */
final class DeliveryEntry {
    private static final long[] NONE = {};
    /** An event that is resent again and again keeps the offsets of its newest attempts. */
    private static final int MAX_PLACES = 50;
    /** Bytes of a row without its texts and the offsets of attempts. */
    private static final int HEAD = 9 * Long.BYTES + 4 * Integer.BYTES + 2 * Short.BYTES + 3;

    private String endpoint = "";
    private String url = "";
    private int partition = -1;
    private long place = -1;

    private int attempts;
    private long newestAttempt = -1;
    private WebhookAttempt.@Nullable Outcome outcome;
    private short httpStatus;
    private long lastAttemptAt;
    private long nextAttemptAt;
    private long[] attemptPlaces = NONE;

    private long successAt;
    private long errorAt;
    private short errorStatus;

    private long resentAt;
    private int resentAfter = -1;
    private long deadAt;
    private int deadAfter = -1;
    private long deadPlace = -1;

    /** The row of an event that has not been read yet. */
    DeliveryEntry() {}

    /** @param offset of a record that has the event's body; Kafka keeps the newest one longest */
    void placed(Deliver deliver, int inPartition, long offset) {
        endpoint = WebhookEndpoint.id(deliver.endpoint());
        url = WebhookEndpoint.withoutQuery(deliver.url());
        partition = inPartition;
        place = Math.max(place, offset);
    }

    void attempted(WebhookAttempt attempt, long offset) {
        attemptPlaces = with(new long[] {offset});
        short answered = attempt.httpStatus() == null ? 0 : attempt.httpStatus().shortValue();
        long at = attempt.startedAt().toEpochMilli();
        if (isNewer(attempt.attempt(), offset)) {
            attempts = attempt.attempt();
            newestAttempt = offset;
            outcome = attempt.outcome();
            httpStatus = answered;
            lastAttemptAt = at;
            nextAttemptAt = attempt.nextAttemptAt() == null
                    ? 0
                    : attempt.nextAttemptAt().toEpochMilli();
        }
        if (attempt.outcome() == WebhookAttempt.Outcome.DELIVERED) {
            successAt = Math.max(successAt, at);
        } else {
            failed(at, answered);
        }
    }

    private boolean isNewer(int attempt, long offset) {
        return attempt > attempts || (attempt == attempts && offset >= newestAttempt);
    }

    private void failed(long at, short answered) {
        if (at > errorAt || (at == errorAt && answered > errorStatus)) {
            errorAt = at;
            errorStatus = answered;
        }
    }

    private long[] with(long[] offsets) {
        long[] all = Arrays.copyOf(attemptPlaces, attemptPlaces.length + offsets.length);
        System.arraycopy(offsets, 0, all, attemptPlaces.length, offsets.length);
        long[] sorted = Arrays.stream(all).sorted().distinct().toArray();
        return Arrays.copyOfRange(sorted, Math.max(0, sorted.length - MAX_PLACES), sorted.length);
    }

    void resent(Resend resend) {
        resentAt = Math.max(resentAt, resend.requestedAt().toEpochMilli());
        resentAfter = Math.max(resentAfter, resend.attempts());
    }

    void givenUp(WebhookDeadLetter letter, long offset) {
        givenUp(letter.givenUpAt().toEpochMilli(), letter.attempts(), offset);
    }

    private void givenUp(long at, int after, long offset) {
        if (at > deadAt || (at == deadAt && offset > deadPlace)) {
            deadAt = at;
            deadAfter = after;
            deadPlace = offset;
        }
    }

    /** Folds what was read about the event before the event. */
    void add(DeliveryEntry early) {
        attemptPlaces = with(early.attemptPlaces);
        if (isNewer(early.attempts, early.newestAttempt)) {
            attempts = early.attempts;
            newestAttempt = early.newestAttempt;
            outcome = early.outcome;
            httpStatus = early.httpStatus;
            lastAttemptAt = early.lastAttemptAt;
            nextAttemptAt = early.nextAttemptAt;
        }
        successAt = Math.max(successAt, early.successAt);
        failed(early.errorAt, early.errorStatus);
        resentAt = Math.max(resentAt, early.resentAt);
        resentAfter = Math.max(resentAfter, early.resentAfter);
        givenUp(early.deadAt, early.deadAfter, early.deadPlace);
    }

    DeliveryStatus status() {
        if (deadAfter >= attempts && deadAfter >= 0) {
            // Only their times order a dead letter and a resend without an attempt between them.
            if (deadAfter > resentAfter || deadAt >= resentAt) {
                return DeliveryStatus.DEAD;
            }
        }
        if (outcome == null || resentAfter >= attempts) {
            return DeliveryStatus.WAITING;
        }
        return switch (outcome) {
            case DELIVERED -> DeliveryStatus.DELIVERED;
            case FAILED -> DeliveryStatus.FAILED;
            case GIVEN_UP, GONE -> DeliveryStatus.DEAD;
        };
    }

    /** Its id, {@code ep_…}. */
    String endpoint() {
        return endpoint;
    }

    String url() {
        return url;
    }

    /** What it adds to its endpoint. */
    EndpointTotals totals() {
        return new EndpointTotals(status().isOpen() ? 1 : 0, Long.MAX_VALUE, successAt, errorAt, errorStatus);
    }

    DeliveryView view(DeliveryCursor at) {
        DeliveryStatus status = status();
        return new DeliveryView(
                at.id(),
                at.occurredAt(),
                endpoint,
                url,
                status,
                attempts,
                lastAttemptAt,
                status == DeliveryStatus.FAILED ? nextAttemptAt : 0,
                httpStatus,
                new DeliveryView.Places(
                        partition, place, attemptPlaces, status == DeliveryStatus.DEAD ? deadPlace : -1));
    }

    byte[] row() {
        byte[] id = endpoint.getBytes(StandardCharsets.UTF_8);
        byte[] address = url.getBytes(StandardCharsets.UTF_8);
        ByteBuffer row = ByteBuffer.allocate(HEAD + attemptPlaces.length * Long.BYTES + id.length + address.length)
                .putInt(partition)
                .putLong(place)
                .putInt(attempts)
                .putLong(newestAttempt)
                .put((byte) code(outcome))
                .putShort(httpStatus)
                .putLong(lastAttemptAt)
                .putLong(nextAttemptAt)
                .putLong(successAt)
                .putLong(errorAt)
                .putShort(errorStatus)
                .putLong(resentAt)
                .putInt(resentAfter)
                .putLong(deadAt)
                .putInt(deadAfter)
                .putLong(deadPlace)
                .put((byte) attemptPlaces.length);
        for (long offset : attemptPlaces) {
            row.putLong(offset);
        }
        return row.put((byte) id.length).put(id).put(address).array();
    }

    /** @param row as {@link #row} has made it */
    static DeliveryEntry of(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        var entry = new DeliveryEntry();
        entry.partition = in.getInt();
        entry.place = in.getLong();
        entry.attempts = in.getInt();
        entry.newestAttempt = in.getLong();
        entry.outcome = outcome(in.get());
        entry.httpStatus = in.getShort();
        entry.lastAttemptAt = in.getLong();
        entry.nextAttemptAt = in.getLong();
        entry.successAt = in.getLong();
        entry.errorAt = in.getLong();
        entry.errorStatus = in.getShort();
        entry.resentAt = in.getLong();
        entry.resentAfter = in.getInt();
        entry.deadAt = in.getLong();
        entry.deadAfter = in.getInt();
        entry.deadPlace = in.getLong();
        entry.attemptPlaces = new long[in.get()];
        for (int i = 0; i < entry.attemptPlaces.length; i++) {
            entry.attemptPlaces[i] = in.getLong();
        }
        byte[] id = new byte[in.get()];
        in.get(id);
        entry.endpoint = new String(id, StandardCharsets.UTF_8);
        entry.url = StandardCharsets.UTF_8.decode(in).toString();
        return entry;
    }

    /** The number of an outcome in rows, 0 without one. */
    private static int code(WebhookAttempt.@Nullable Outcome outcome) {
        return switch (outcome) {
            case null -> 0;
            case DELIVERED -> 1;
            case FAILED -> 2;
            case GIVEN_UP -> 3;
            case GONE -> 4;
        };
    }

    private static WebhookAttempt.@Nullable Outcome outcome(int code) {
        return switch (code) {
            case 0 -> null;
            case 1 -> WebhookAttempt.Outcome.DELIVERED;
            case 2 -> WebhookAttempt.Outcome.FAILED;
            case 3 -> WebhookAttempt.Outcome.GIVEN_UP;
            case 4 -> WebhookAttempt.Outcome.GONE;
            default -> throw new IllegalStateException("no outcome has the number " + code);
        };
    }
}
