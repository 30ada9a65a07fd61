package millrace.simulation.delivery;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Checks that the first attempt of each event begins after that of the event before it in its report, whichever process makes
 * them. Holds where all events of a report go to one endpoint and are produced in their order, and none is given up untried.
 */
public final class AttemptOrderCheck implements Consumer<ObservedAttempt> {
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
