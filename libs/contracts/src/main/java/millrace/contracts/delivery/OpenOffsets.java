package millrace.contracts.delivery;

import java.util.Base64;
import java.util.BitSet;
import java.util.Optional;

/**
 * Which of the offsets from a committed one on are open, that is: neither delivered nor saved. The metadata of what
 * notifiers commit.
 *
 * @param above number of offsets from the committed one on of which it speaks
 * @param open distances from the committed offset
 */
public record OpenOffsets(long above, BitSet open) {
    /** The broker's default of {@code offset.metadata.max.bytes}. */
    private static final int MAX_TEXT = 4096;

    /** Empty where the text says nothing. */
    public static Optional<OpenOffsets> parse(String metadata) {
        int colon = metadata.indexOf(':');
        if (colon <= 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new OpenOffsets(
                    Long.parseLong(metadata.substring(0, colon)),
                    BitSet.valueOf(Base64.getDecoder().decode(metadata.substring(colon + 1)))));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // an event may be sent twice, but none may be lost
        }
    }

    /** Empty where it would be too long. */
    public String text() {
        String text = above + ":" + Base64.getEncoder().encodeToString(open.toByteArray());
        return text.length() > MAX_TEXT ? "" : text;
    }
}
