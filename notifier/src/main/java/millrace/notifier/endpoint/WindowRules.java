package millrace.notifier.endpoint;

/**
 * How many events of an endpoint are in memory. The others wait in the source topic, as its {@link EndpointBacklog}.
 * If its account, or the process, has reached its bound, an endpoint keeps only a few, so that it goes on slowly and
 * the endpoints of others go on as before. These few together are at most as many again as the bound, or one for each
 * endpoint.
 *
 * @param window most events of an endpoint that were not attempted
 * @param heldEvents most events of the process; of an account a quarter of it, of an endpoint a fiftieth
 */
public record WindowRules(int window, int heldEvents) {
    private static final int SHARE_OF_ACCOUNT = 4;
    private static final int SHARE_OF_ENDPOINT = 50;
    private static final int SHARE_OF_FEW = 32;

    /**
     * What is in memory.
     *
     * @param ofAccount number of events of the endpoint's account
     * @param endpointsOfAccount number of endpoints that these are of
     * @param ofAll number of events of the process
     * @param endpointsOfAll number of endpoints that these are of
     */
    public record Held(int ofAccount, int endpointsOfAccount, int ofAll, int endpointsOfAll) {}

    public WindowRules {
        if (window < 1 || heldEvents < 1) {
            throw new IllegalArgumentException(
                    "window and held-events must be at least 1, not " + window + " and " + heldEvents);
        }
    }

    /** Most events of an account. */
    int ofAccount() {
        return Math.max(1, heldEvents / SHARE_OF_ACCOUNT);
    }

    /** Most events of an endpoint, those included that wait for a retry. */
    int ofEndpoint() {
        return Math.max(window, heldEvents / SHARE_OF_ENDPOINT);
    }

    /** How many more events of the endpoint may be in memory. */
    public int room(EndpointQueue queue, Held held) {
        int room = full(held)
                ? few(held) - queue.size()
                : Math.min(window - queue.unattempted(), ofEndpoint() - queue.size());
        return Math.max(0, room);
    }

    /**
     * Whether the endpoint should get more events from its backlog. A window is filled again when it is half empty; that
     * of an endpoint that is only probed, when no event is left that was not attempted.
     */
    public boolean wantsMore(EndpointQueue queue, Held held) {
        int enough = queue.flow().breaker().open() ? 0 : (full(held) ? few(held) : window) / 2;
        return queue.unattempted() <= enough && room(queue, held) > 0;
    }

    private boolean full(Held held) {
        return held.ofAll() >= heldEvents || held.ofAccount() >= ofAccount();
    }

    private int few(Held held) {
        int few = Math.max(1, window / SHARE_OF_FEW);
        if (held.ofAll() >= heldEvents) {
            few = Math.min(few, heldEvents / Math.max(1, held.endpointsOfAll()));
        }
        if (held.ofAccount() >= ofAccount()) {
            few = Math.min(few, ofAccount() / Math.max(1, held.endpointsOfAccount()));
        }
        return Math.max(1, few);
    }
}
