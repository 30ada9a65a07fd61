package millrace.e2e.client;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import millrace.e2e.process.BatchApiClient;
import org.jspecify.annotations.Nullable;

/** A client that gives each request an Idempotency-Key, remembers the answers, and repeats unanswered requests. */
public final class RetryingClient {
    private static final String PATH = "/v3/batch/demographics/request-report";
    private static final int OK = 200;

    private final Map<String, SentRequest> sent = new ConcurrentHashMap<>();
    private final AtomicInteger keys = new AtomicInteger();

    /** @param report null where there was no answer 200 */
    record SentRequest(String key, String body, @Nullable String report) {}

    /** Sends a new request. Returns the report's id, or null without an answer 200. */
    @Nullable
    public String submit(BatchApiClient api, String body) {
        return send(api, new SentRequest("key-" + keys.incrementAndGet(), body, null));
    }

    /** Repeats all requests without an answer 200, which must succeed now. */
    public void repeatUnanswered(BatchApiClient api) {
        for (SentRequest s : unanswered()) {
            if (send(api, s) == null) {
                throw new AssertionError("no 200 for " + s.key());
            }
        }
    }

    List<SentRequest> unanswered() {
        return sent.values().stream().filter(s -> s.report() == null).toList();
    }

    /** Ids of the reports whose request was answered with 200. */
    public Set<String> reports() {
        return bodies().keySet();
    }

    /** Bodies of the requests that were answered with 200, by report id. */
    public Map<String, String> bodies() {
        return answered().stream()
                .collect(Collectors.toMap(
                        s -> String.valueOf(s.report()), SentRequest::body, (a, b) -> a, TreeMap::new));
    }

    List<SentRequest> answered() {
        return sent.values().stream().filter(s -> s.report() != null).toList();
    }

    /** Repeats all answered requests, which must get the same answers. */
    public void repeatAnswered(BatchApiClient api) {
        for (SentRequest s : answered()) {
            BatchApiClient.Answer answer = api.post(PATH, s.body(), "Idempotency-Key", s.key());
            if (!answer.text("report_id").equals(s.report())) {
                throw new AssertionError(s + " got " + answer.code() + " " + answer.body());
            }
        }
    }

    private @Nullable String send(BatchApiClient api, SentRequest s) {
        sent.put(s.key(), s);
        try {
            BatchApiClient.Answer answer = api.post(PATH, s.body(), "Idempotency-Key", s.key());
            if (answer.code() != OK) {
                return null;
            }
            sent.put(s.key(), new SentRequest(s.key(), s.body(), answer.text("report_id")));
            return answer.text("report_id");
        } catch (UncheckedIOException e) {
            return null;
        }
    }
}
