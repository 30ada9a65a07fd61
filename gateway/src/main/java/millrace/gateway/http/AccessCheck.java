package millrace.gateway.http;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.admission.ApiKeys;
import millrace.gateway.admission.Caller;
import millrace.gateway.admission.RateLimit;
import millrace.gateway.readmodel.ModelReader;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.DeclaredAccount;
import org.jspecify.annotations.Nullable;

/** What every call with a key has to pass: the key, its kind, the rate, and that this gateway knows enough to answer. */
@Singleton
public final class AccessCheck {
    private static final String SUSPENDED =
            "The account is suspended: new requests are not answered; reports that were accepted go on.";
    private static final String WRONG_KEY = "must be a valid, active key";

    private final ApiKeys keys;
    private final RateLimit rates;
    private final ModelReader reader;
    private final AccountsFileImport opening;
    private final GatewaySettings settings;

    AccessCheck(
            ApiKeys keys, RateLimit rates, ModelReader reader, AccountsFileImport opening, GatewaySettings settings) {
        this.keys = keys;
        this.rates = rates;
        this.reader = reader;
        this.opening = opening;
        this.settings = settings;
    }

    public sealed interface Passage {
        record Open(Caller caller) implements Passage {}

        record Shut(MutableHttpResponse<byte[]> answer) implements Passage {}
    }

    /** Of a batch call: only a batch key opens it. */
    Passage batch(@Nullable String key) {
        if (key == null || key.isBlank()) {
            return shut(HttpStatus.UNAUTHORIZED, "api-key: the header is missing; send your key in it.");
        }
        Optional<Caller> caller = keys.caller(key);
        if (caller.isPresent() && caller.get().kind() != DeclaredAccount.Kind.BATCH) {
            return shut(HttpStatus.UNAUTHORIZED, "api-key: this is a rest key; batch requests need a batch key.");
        }
        return pass("api-key", caller);
    }

    /** Of a call that any key opens. */
    public Passage any(@Nullable String key) {
        if (key == null || key.isBlank()) {
            return shut(HttpStatus.UNAUTHORIZED, "api_key: the query parameter is missing; send your key in it.");
        }
        return pass("api_key", keys.caller(key));
    }

    private Passage pass(String where, Optional<Caller> caller) {
        if (caller.isEmpty()) {
            // A key may be one that this gateway has yet to read of.
            return opening.granted()
                    ? shut(HttpStatus.UNAUTHORIZED, where + ": " + WRONG_KEY + ".")
                    : new Passage.Shut(starting());
        }
        DeclaredAccount account = caller.get().account();
        if (!account.active()) {
            return shut(HttpStatus.FORBIDDEN, SUSPENDED);
        }
        Optional<Duration> wait = rates.take(account.id(), perSecond(account));
        if (wait.isPresent()) {
            return new Passage.Shut(JsonResponses.later(
                    JsonResponses.problem(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "The account may send " + perSecond(account) + " requests a second; this is one more."),
                    wait.get()));
        }
        return ready().<Passage>map(Passage.Shut::new).orElseGet(() -> new Passage.Open(caller.get()));
    }

    /** An answer in the meantime, where this gateway has not read what there is. */
    public Optional<MutableHttpResponse<byte[]>> ready() {
        return reader.caughtUp() && opening.granted() ? Optional.empty() : Optional.of(starting());
    }

    private static MutableHttpResponse<byte[]> starting() {
        return JsonResponses.unavailable("This gateway is still reading what there is; try again.");
    }

    private int perSecond(DeclaredAccount account) {
        DeclaredAccount.Limits limits = account.limits();
        Integer own = limits == null ? null : limits.requestsPerSecond();
        return own == null ? settings.requestsPerSecond() : own;
    }

    private static Passage shut(HttpStatus status, String error) {
        return new Passage.Shut(JsonResponses.problem(status, error));
    }
}
