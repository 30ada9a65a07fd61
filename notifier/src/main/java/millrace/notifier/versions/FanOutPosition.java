package millrace.notifier.versions;

import java.util.Optional;

/**
 * How far the last announcement about a dataset has been given to subscribers. It is the metadata of a committed offset,
 * and changes in the transactions that give it.
 *
 * @param lastKey of the last subscriber that has it
 */
record FanOutPosition(String dataset, String lastKey) {
    private static final char SEPARATOR = ' ';

    String text() {
        return dataset + SEPARATOR + lastKey;
    }

    /** Empty where no announcement is under way. */
    static Optional<FanOutPosition> parse(String metadata) {
        int at = metadata.indexOf(SEPARATOR);
        return at < 0
                ? Optional.empty()
                : Optional.of(new FanOutPosition(metadata.substring(0, at), metadata.substring(at + 1)));
    }
}
