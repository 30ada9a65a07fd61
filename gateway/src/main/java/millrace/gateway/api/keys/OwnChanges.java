package millrace.gateway.api.keys;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RateLimit;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.OwnKeyRules;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.BodyFields;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Makes the changes that accounts ask for with a key of their own. */
@Singleton
final class OwnChanges {
    /** All accounts of the cluster are changed one after the other, so nobody may ask for change after change. */
    private static final int MOST_A_MINUTE = 20;

    private static final int SECONDS = 60;

    private final AccountChanges changes;
    private final RequestBodyReader bodies;
    /** By a clock that is 60 times as slow, so that what it counts in a second is a minute's. */
    private final RateLimit perMinute = new RateLimit(() -> System.nanoTime() / SECONDS, MOST_A_MINUTE);

    OwnChanges(AccountWriter writer, RequestBodyReader bodies) {
        this.changes = new AccountChanges(writer);
        this.bodies = bodies;
    }

    /**
     * A change that a body asks for.
     *
     * @param answer of the account after the change
     */
    record Wanted(AccountChange change, Function<AccountRecord, HttpResponse<byte[]>> answer) {}

    /** Reads the body, which may be missing, and makes the change. Blocks. */
    HttpResponse<byte[]> make(HttpRequest<?> http, @Nullable InputStream body, Function<BodyFields, Wanted> read)
            throws IOException {
        Caller caller = ApiKeyFilter.caller(http);
        BodyFields fields = BodyFields.of(json(http, body));
        Wanted wanted = read.apply(fields);
        List<String> errors = new ArrayList<>(fields.errors());
        OwnKeyRules.outlives(wanted.change(), caller.expiresAt()).ifPresent(errors::add);
        RefusedException.ifAny(errors);
        return make(caller, wanted);
    }

    private byte[] json(HttpRequest<?> http, @Nullable InputStream body) throws IOException {
        if (!withoutBody(http)) {
            return bodies.text(http, body);
        }
        bodies.skip(http, body);
        return new byte[0];
    }

    HttpResponse<byte[]> make(Caller caller, Wanted wanted) {
        Optional<Duration> wait = perMinute.take(caller.accountId());
        if (wait.isPresent()) {
            return JsonResponses.retryAfter(
                    JsonResponses.problem(
                            ProblemCode.TOO_MANY_CHANGES,
                            "The account may change its keys and secrets " + MOST_A_MINUTE
                                    + " times a minute; this is one more."),
                    wait.get().multipliedBy(SECONDS));
        }
        var own = new AccountChange.ByOwnKey(caller.keyId(), wanted.change());
        return changes.make(
                caller.keyId(), new AccountWriter.RequestedChange(caller.accountId(), own, null), wanted.answer());
    }

    private static boolean withoutBody(HttpRequest<?> http) {
        return http.getContentType().isEmpty()
                && http.getContentLength() <= 0
                && !http.getHeaders().contains("Transfer-Encoding");
    }
}
