package millrace.gateway.api.events;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The types of events that a client can choose. */
enum EventType {
    /** A change of a report's status. */
    REPORT,
    /** An attempt to deliver a webhook. */
    DELIVERY,
    /** An entry of the ledger. */
    CREDITS,
    /** What remains has fallen below a tenth of the last grant. */
    BALANCE_LOW,
    /** New reports of a dataset read another version of the data. */
    DATA_VERSION_AVAILABLE;

    /** Tells a client of every type that it may have missed events. */
    static final String RESET = "reset";

    /** Lower case, as in the stream and in the parameter {@code types}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(EventType::word).toList();
    }

    static Optional<EventType> of(String word) {
        return Arrays.stream(values()).filter(type -> type.word().equals(word)).findFirst();
    }
}
