package millrace.gateway.webhooks.index;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The state of an event's delivery. */
public enum DeliveryStatus {
    /** Not tried yet, or not since it was resent. */
    WAITING,
    /** The last attempt failed; another one follows. */
    FAILED,
    DELIVERED,
    /** Given up: the event is in the dead letters. */
    DEAD;

    /** The word in responses and parameters. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(DeliveryStatus::word).toList();
    }

    public static Optional<DeliveryStatus> of(String word) {
        return Arrays.stream(values()).filter(s -> s.word().equals(word)).findFirst();
    }
}
