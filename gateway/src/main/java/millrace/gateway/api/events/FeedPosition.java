package millrace.gateway.api.events;

import java.util.Optional;
import millrace.gateway.copy.activity.ActivityEvent;
import millrace.gateway.copy.activity.Positions;

/**
 * Where a feed goes on, at any gateway.
 *
 * @param lowSent whether {@code balance_low} of the next entry that has one was sent, but not the
 *     entry itself
 */
record FeedPosition(Positions positions, boolean lowSent) {
    private static final String LOW_SENT = ".low";

    static FeedPosition at(Positions positions) {
        return new FeedPosition(positions, false);
    }

    /** The id of events in the stream. An opaque text for URLs and headers. */
    String text() {
        return lowSent ? positions.text() + LOW_SENT : positions.text();
    }

    /** Empty where {@link #text} has not made the text. */
    static Optional<FeedPosition> parse(String text) {
        boolean lowSent = text.endsWith(LOW_SENT);
        String positions = lowSent ? text.substring(0, text.length() - LOW_SENT.length()) : text;
        return Positions.parse(positions).map(p -> new FeedPosition(p, lowSent));
    }

    FeedPosition afterLow() {
        return new FeedPosition(positions, true);
    }

    FeedPosition after(ActivityEvent event) {
        boolean low = event instanceof ActivityEvent.Entered entered && entered.lowBelow() != null;
        return new FeedPosition(positions.after(event), lowSent && !low);
    }

    /** @param next at or after these positions, with nothing of the account in between */
    FeedPosition to(Positions next) {
        return new FeedPosition(next, lowSent);
    }
}
