package millrace.gateway.copy.deliveries;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The state of an event's delivery. */
public enum DeliveryStatus {
    /** Not tried yet, or not since it was resent. */
    WAITING(1),
    /** The last attempt failed; another one follows. */
    FAILED(2),
    DELIVERED(3),
    /** Given up: the event is in the dead letters. */
    DEAD(4);

    private final int code;

    DeliveryStatus(int code) {
        this.code = code;
    }

    /** Its number in the keys of rows. */
    int code() {
        return code;
    }

    /** Neither delivered nor given up. */
    boolean isOpen() {
        return this == WAITING || this == FAILED;
    }

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
