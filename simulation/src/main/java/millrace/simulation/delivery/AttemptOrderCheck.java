package millrace.simulation.delivery;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Checks that the first attempt of each event begins after that of the previous event of its report, in any process.
 * The check requires that all events of a report go to one endpoint in order, and that none is given up without an
 * attempt.
 */
final class AttemptOrderCheck implements Consumer<ObservedAttempt> {
    private final Map<UUID, Integer> newest = new HashMap<>();

    @Override
    public void accept(ObservedAttempt request) {
        int before = newest.getOrDefault(request.report(), 0);
        if (request.sequence() > before + 1) {
            throw new AssertionError("event " + request.webhookId() + " is attempted by " + request.process()
                    + ", but of its report only " + before + " were before");
        }
        newest.put(request.report(), Math.max(before, request.sequence()));
    }
}
