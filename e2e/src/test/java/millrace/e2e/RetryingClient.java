package millrace.e2e;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A careful client: gives each request an Idempotency-Key, remembers the answers, and repeats what was not answered. */
final class RetryingClient {
    private static final String PATH = "/v3/batch/demographics/request-report";
    private static final int OK = 200;

    private final Map<String, Said> said = new ConcurrentHashMap<>();
    private final AtomicInteger keys = new AtomicInteger();

    /** @param report null where no 200 came */
    record Said(String key, String body, @Nullable String report) {}

    /** Says something new; the report's id, or null where no answer came. */
    @Nullable
    String submit(BatchApiClient api, String body) {
        return say(api, new Said("key-" + keys.incrementAndGet(), body, null));
    }

    /** Says again what got no 200; all of it must be answered now. */
    void repeatUnanswered(BatchApiClient api) {
        for (Said s : unanswered()) {
            if (say(api, s) == null) {
                throw new AssertionError("no 200 for " + s.key());
            }
        }
    }

    List<Said> unanswered() {
        return said.values().stream().filter(s -> s.report() == null).toList();
    }

    /** Ids of the reports that got a 200. */
    Set<String> reports() {
        return bodies().keySet();
    }

    /** What got a 200, by the report's id. */
    Map<String, String> bodies() {
        return answered().stream()
                .collect(Collectors.toMap(s -> String.valueOf(s.report()), Said::body, (a, b) -> a, TreeMap::new));
    }

    List<Said> answered() {
        return said.values().stream().filter(s -> s.report() != null).toList();
    }

    /** Says it all again: the same answers. */
    void repeatAnswered(BatchApiClient api) {
        for (Said s : answered()) {
            BatchApiClient.Answer answer = api.post(PATH, s.body(), "Idempotency-Key", s.key());
            if (!answer.text("report_id").equals(s.report())) {
                throw new AssertionError(s + " got " + answer.code() + " " + answer.body());
            }
        }
    }

    private @Nullable String say(BatchApiClient api, Said s) {
        said.put(s.key(), s);
        try {
            BatchApiClient.Answer answer = api.post(PATH, s.body(), "Idempotency-Key", s.key());
            if (answer.code() != OK) {
                return null;
            }
            said.put(s.key(), new Said(s.key(), s.body(), answer.text("report_id")));
            return answer.text("report_id");
        } catch (UncheckedIOException e) {
            return null;
        }
    }
}
