package millrace.processor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import millrace.contracts.AccountCommand.RequestReport;
import org.jspecify.annotations.Nullable;

/**
 * The last few large requests, decoded: a report of a thousand slices reads its request a thousand times. Requests never
 * change, so an entry can be stale only after its report was forgotten, when nobody asks any more.
 */
final class RecentRequests {
    private static final int KEPT = 4;
    private static final int LARGE = 500;

    private final Map<String, RequestReport> kept = new LinkedHashMap<>();

    @Nullable
    RequestReport get(String key, Function<String, @Nullable RequestReport> source) {
        RequestReport known = kept.remove(key);
        RequestReport request = known == null ? source.apply(key) : known;
        if (request != null && request.request().query().entityCount() > LARGE) {
            kept.put(key, request);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return request;
    }

    void forget(String key) {
        kept.remove(key);
    }
}
