package millrace.gateway.webhooks.index;

import java.util.Arrays;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import org.jspecify.annotations.Nullable;

/**
 * One event in the index, about 220 bytes, because there are hundreds of thousands. The result does
 * not depend on the order of the records about it, or on how often they are folded. The index
 * guards it.
 */
final class DeliveryEntry {
    private static final long[] NONE = {};
    /** Size of an entry with a short URL. */
    private static final int BYTES = 220;
    /** An event that is resent again and again keeps the offsets of its newest attempts. */
    private static final int MAX_PLACES = 50;

    private final UUID report;
    private final int sequence;
    private final long occurredAt;
    private final EndpointEntry receiver;
    private final String url;
    /** Another event of the same report. */
    @Nullable
    DeliveryEntry sibling;

    private long place;
    private int attempts;
    private WebhookAttempt.@Nullable Outcome outcome;
    private short httpStatus;
    private long lastAttemptAt;
    private long nextAttemptAt;
    private long[] attemptPlaces = NONE;
    private @Nullable LaterRecords laterRecords;

    /** The fields that only resent and dead events need. */
    private static final class LaterRecords {
        private long resentAt = Long.MIN_VALUE;
        private int resentAfter = -1;
        private long deadAt = Long.MIN_VALUE;
        private int deadAfter = -1;
        private long deadPlace = -1;
    }

    DeliveryEntry(DeliveryId id, long occurredAt, EndpointEntry receiver, String url) {
        this.report = id.report();
        this.sequence = id.sequence();
        this.occurredAt = occurredAt;
        this.receiver = receiver;
        this.url = url;
    }

    /** @param offset of a record that has the event's body; Kafka keeps the newest one longest */
    void placed(long offset) {
        place = Math.max(place, offset);
    }

    void attempted(WebhookAttempt attempt, long offset) {
        if (Arrays.binarySearch(attemptPlaces, offset) < 0) {
            long[] more = Arrays.copyOf(attemptPlaces, attemptPlaces.length + 1);
            more[attemptPlaces.length] = offset;
            Arrays.sort(more);
            attemptPlaces = more.length > MAX_PLACES ? Arrays.copyOfRange(more, 1, more.length) : more;
        }
        if (attempt.attempt() >= attempts) {
            attempts = attempt.attempt();
            outcome = attempt.outcome();
            httpStatus = attempt.httpStatus() == null ? 0 : attempt.httpStatus().shortValue();
            lastAttemptAt = attempt.startedAt().toEpochMilli();
            nextAttemptAt = attempt.nextAttemptAt() == null
                    ? 0
                    : attempt.nextAttemptAt().toEpochMilli();
        }
    }

    void resent(Resend resend) {
        LaterRecords after = laterRecords();
        after.resentAt = Math.max(after.resentAt, resend.requestedAt().toEpochMilli());
        after.resentAfter = Math.max(after.resentAfter, resend.attempts());
    }

    void givenUp(WebhookDeadLetter letter, long offset) {
        LaterRecords after = laterRecords();
        long at = letter.givenUpAt().toEpochMilli();
        if (at >= after.deadAt) {
            after.deadAt = at;
            after.deadAfter = letter.attempts();
            after.deadPlace = offset;
        }
    }

    private LaterRecords laterRecords() {
        LaterRecords known = laterRecords;
        if (known == null) {
            known = new LaterRecords();
            laterRecords = known;
        }
        return known;
    }

    DeliveryStatus state() {
        LaterRecords after = laterRecords;
        if (after != null && after.deadAfter >= attempts && after.deadAfter >= 0) {
            // Only their times order a dead letter and a resend without an attempt between them.
            if (after.deadAfter > after.resentAfter || after.deadAt >= after.resentAt) {
                return DeliveryStatus.DEAD;
            }
        }
        if (outcome == null || (after != null && after.resentAfter >= attempts)) {
            return DeliveryStatus.WAITING;
        }
        return switch (outcome) {
            case DELIVERED -> DeliveryStatus.DELIVERED;
            case FAILED -> DeliveryStatus.FAILED;
            case GIVEN_UP, GONE -> DeliveryStatus.DEAD;
        };
    }

    /** How many entries with a short URL take as much memory. */
    int weight() {
        return 1 + url.length() / BYTES;
    }

    DeliveryId id() {
        return new DeliveryId(report, sequence);
    }

    UUID report() {
        return report;
    }

    int sequence() {
        return sequence;
    }

    long occurredAt() {
        return occurredAt;
    }

    EndpointEntry receiver() {
        return receiver;
    }

    DeliveryView view() {
        DeliveryStatus state = state();
        return new DeliveryView(
                id(),
                occurredAt,
                receiver.key(),
                url,
                state,
                attempts,
                lastAttemptAt,
                state == DeliveryStatus.FAILED ? nextAttemptAt : 0,
                httpStatus,
                new DeliveryView.Places(
                        receiver.partition(),
                        place,
                        attemptPlaces,
                        laterRecords == null || state != DeliveryStatus.DEAD ? -1 : laterRecords.deadPlace));
    }
}
