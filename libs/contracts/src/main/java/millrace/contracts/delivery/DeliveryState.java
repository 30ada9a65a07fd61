package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** State that a notifier needs to take over the endpoints of another one. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DeliveryState.Waiting.class, name = "waiting"),
    @JsonSubTypes.Type(value = DeliveryState.Behind.class, name = "behind"),
    @JsonSubTypes.Type(value = DeliveryState.Gone.class, name = "gone"),
})
public sealed interface DeliveryState {
    /** {@link WebhookEndpoint#key()}. */
    String endpoint();

    /** The key of the record. */
    String key();

    /**
     * An event that is not delivered yet. Its attempt may be in progress.
     *
     * @param attempts that have ended
     * @param nextAttemptAt earliest time of the next attempt; in the past where it is in progress
     *     or waits for its turn
     * @param resentAfter attempts that had ended when it was resent, from which the schedule
     *     counts; null where it was not resent
     */
    record Waiting(
            String endpoint,
            DeliveryCommand.Deliver delivery,
            int attempts,
            Instant nextAttemptAt,
            @Nullable Integer resentAfter)
            implements DeliveryState {
        /** {@code {endpoint}|{event_id}}. */
        @Override
        public String key() {
            return key(endpoint, delivery.eventId());
        }

        public static String key(String endpoint, String eventId) {
            return endpoint + "|" + eventId;
        }
    }

    /**
     * Events of the endpoint from an offset of the source topic on are neither taken nor saved.
     *
     * @param from offset of the first one, in the partition of this record
     * @param since none of them occurred before
     */
    record Behind(String endpoint, long from, Instant since) implements DeliveryState {
        /** {@code {endpoint}|behind|}. */
        @Override
        public String key() {
            return key(endpoint);
        }

        public static String key(String endpoint) {
            return endpoint + "|behind|";
        }
    }

    /** The URL answered 410. Nothing is sent to it until it is reinstated. */
    record Gone(String endpoint, String url, Instant since) implements DeliveryState {
        /** {@code {endpoint}|gone|{url}}. */
        @Override
        public String key() {
            return key(endpoint, url);
        }

        public static String key(String endpoint, String url) {
            return endpoint + "|gone|" + url;
        }
    }
}
