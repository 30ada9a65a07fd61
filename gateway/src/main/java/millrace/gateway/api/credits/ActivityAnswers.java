package millrace.gateway.api.credits;

import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.copy.activity.ActivityStore;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;

/** Answers from the activity store, or with 503 where it cannot. */
@Singleton
public final class ActivityAnswers {
    /** Records that the client may know of are read within milliseconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final ActivityStore store;

    public ActivityAnswers(ActivityStore store) {
        this.store = store;
    }

    public MutableHttpResponse<byte[]> answer(Function<ActivityQueries, Object> question) {
        return answer(question, JsonResponses::ok);
    }

    <T> MutableHttpResponse<byte[]> answer(
            Function<ActivityQueries, T> question, Function<T, MutableHttpResponse<byte[]>> written) {
        return store.ask(question).map(written).orElseGet(() -> store.unavailable()
                .map(sentence -> JsonResponses.unavailable(ProblemCode.GATEWAY_STARTING, sentence))
                .orElseGet(() -> JsonResponses.unavailable(
                        ProblemCode.STORAGE_UNAVAILABLE,
                        "This gateway cannot read its activity store now; try again.")));
    }

    /** As {@link #answer}, once the store has what is awaited; after a second also without. */
    MutableHttpResponse<byte[]> answerOnce(
            Predicate<ActivityQueries> awaited, Function<ActivityQueries, Object> question)
            throws InterruptedException {
        store.await(awaited, TIMEOUT);
        return answer(question);
    }
}
