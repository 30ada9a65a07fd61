package millrace.gateway.copy.deliveries;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The id of an event, {@code webhook-id} for its receiver: {@code {report}.{sequence}}. */
public record DeliveryId(UUID report, int sequence) {
    private static final Pattern SHAPE =
            Pattern.compile("([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\\.([1-9][0-9]{0,8})");

    /** Empty where the text is not such an id. */
    public static Optional<DeliveryId> parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        return matcher.matches()
                ? Optional.of(new DeliveryId(UUID.fromString(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return report + "." + sequence;
    }
}
