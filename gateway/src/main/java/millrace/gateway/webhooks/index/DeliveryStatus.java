package millrace.gateway.webhooks.index;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What has become of an event so far. */
public enum DeliveryStatus {
    /** It was not tried yet, or not since it was resent. */
    WAITING,
    /** The last attempt failed, another one follows. */
    FAILED,
    DELIVERED,
    /** Given up: it is in the dead letters. */
    DEAD;

    /** As answers and parameters write it. */
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
