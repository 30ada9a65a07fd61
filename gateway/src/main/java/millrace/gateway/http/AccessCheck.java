package millrace.gateway.http;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import millrace.contracts.Json;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.admission.ApiKeys;
import millrace.gateway.admission.Caller;
import millrace.gateway.admission.RateLimit;
import millrace.gateway.readmodel.ModelReader;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.DeclaredAccount;
import org.jspecify.annotations.Nullable;

/**
 * Checks what every call with a key needs: a valid key of the right kind, the account's rate limit,
 * and that this gateway has read the topics.
 */
@Singleton
public final class AccessCheck {
    private static final String SUSPENDED =
            "The account is suspended: new requests are not answered; reports that were accepted go on.";
    private static final String WRONG_KEY = "must be a valid, active key";

    private final ApiKeys keys;
    private final RateLimit rates;
    private final ModelReader reader;
    private final AccountsFileImport fileImport;
    private final GatewaySettings settings;
    private final InstantSource clock;

    AccessCheck(
            ApiKeys keys,
            RateLimit rates,
            ModelReader reader,
            AccountsFileImport fileImport,
            GatewaySettings settings,
            InstantSource clock) {
        this.keys = keys;
        this.rates = rates;
        this.reader = reader;
        this.fileImport = fileImport;
        this.settings = settings;
        this.clock = clock;
    }

    /** The result: the caller, or the response that refuses the call. */
    public sealed interface Access {
        record Granted(Caller caller) implements Access {}

        record Denied(MutableHttpResponse<byte[]> answer) implements Access {}
    }

    /** Checks a call that needs a batch key. */
    Access batch(@Nullable String key) {
        if (key == null || key.isBlank()) {
            return denied(HttpStatus.UNAUTHORIZED, "api-key: the header is missing; send your key in it.");
        }
        Optional<Caller> caller = keys.caller(key);
        if (caller.isPresent() && caller.get().kind() != DeclaredAccount.Kind.BATCH) {
            return denied(HttpStatus.UNAUTHORIZED, "api-key: this is a rest key; batch requests need a batch key.");
        }
        return checkCaller("api-key", caller);
    }

    /** Checks a call that any kind of key opens. */
    public Access any(@Nullable String key) {
        if (key == null || key.isBlank()) {
            return denied(HttpStatus.UNAUTHORIZED, "api_key: the query parameter is missing; send your key in it.");
        }
        return checkCaller("api_key", keys.caller(key));
    }

    private Access checkCaller(String where, Optional<Caller> caller) {
        if (caller.isEmpty()) {
            // This gateway may not have read the account of the key yet.
            return fileImport.granted()
                    ? denied(HttpStatus.UNAUTHORIZED, where + ": " + WRONG_KEY + ".")
                    : new Access.Denied(starting());
        }
        if (caller.get().expiredAt(clock.instant())) {
            return denied(
                    HttpStatus.UNAUTHORIZED,
                    where + ": the key expired at "
                            + Json.format(Objects.requireNonNull(caller.get().expiresAt())) + "; use another one.");
        }
        DeclaredAccount account = caller.get().account();
        if (!account.active()) {
            return denied(HttpStatus.FORBIDDEN, SUSPENDED);
        }
        Optional<Duration> wait = rates.take(account.id(), perSecond(account));
        if (wait.isPresent()) {
            return new Access.Denied(JsonResponses.retryAfter(
                    JsonResponses.problem(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "The account may send " + perSecond(account) + " requests a second; this is one more."),
                    wait.get()));
        }
        return ready().<Access>map(Access.Denied::new).orElseGet(() -> new Access.Granted(caller.get()));
    }

    /** A 503 response while this gateway is still reading the topics, else empty. */
    public Optional<MutableHttpResponse<byte[]>> ready() {
        return reader.caughtUp() && fileImport.granted() ? Optional.empty() : Optional.of(starting());
    }

    private static MutableHttpResponse<byte[]> starting() {
        return JsonResponses.unavailable("This gateway is still reading what there is; try again.");
    }

    private int perSecond(DeclaredAccount account) {
        DeclaredAccount.Limits limits = account.limits();
        Integer own = limits == null ? null : limits.requestsPerSecond();
        return own == null ? settings.requestsPerSecond() : own;
    }

    private static Access denied(HttpStatus status, String error) {
        return new Access.Denied(JsonResponses.problem(status, error));
    }
}
