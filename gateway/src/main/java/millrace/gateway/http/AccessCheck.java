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
import millrace.gateway.admission.RequestRate;
import millrace.gateway.readmodel.ModelReader;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.DeclaredAccount;
import org.jspecify.annotations.Nullable;

/**
 * Checks what every call with a key needs: a valid key of the right kind, the account's rate limits,
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

    /** Checks a call that needs a batch key, and counts it against the rate. */
    Access batch(@Nullable String key, RequestRate rate) {
        if (key == null || key.isBlank()) {
            return denied(HttpStatus.UNAUTHORIZED, "api-key: the header is missing; send your key in it.");
        }
        Optional<Caller> caller = keys.caller(key);
        if (caller.isPresent() && caller.get().kind() != DeclaredAccount.Kind.BATCH) {
            return denied(HttpStatus.UNAUTHORIZED, "api-key: this is a rest key; batch requests need a batch key.");
        }
        return checkCaller("api-key", caller, rate);
    }

    /** Checks a call that reads and that any kind of key opens. */
    public Access any(@Nullable String key) {
        if (key == null || key.isBlank()) {
            return denied(HttpStatus.UNAUTHORIZED, "api_key: the query parameter is missing; send your key in it.");
        }
        return checkCaller("api_key", keys.caller(key), RequestRate.READS);
    }

    private Access checkCaller(String where, Optional<Caller> caller, RequestRate rate) {
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
        int perSecond = perSecond(account, rate);
        Optional<Duration> wait = rates.take(account.id(), rate, perSecond);
        if (wait.isPresent()) {
            return new Access.Denied(JsonResponses.retryAfter(
                    JsonResponses.problem(HttpStatus.TOO_MANY_REQUESTS, tooMany(rate, perSecond)), wait.get()));
        }
        return ready().<Access>map(Access.Denied::new).orElseGet(() -> new Access.Granted(caller.get()));
    }

    /** Whether the key is still one that opens batch calls of the account. Counts against no rate. */
    public boolean granted(String key, String accountId) {
        return keys.caller(key)
                .filter(caller -> caller.kind() == DeclaredAccount.Kind.BATCH
                        && !caller.expiredAt(clock.instant())
                        && caller.account().active()
                        && caller.accountId().equals(accountId))
                .isPresent();
    }

    /** A 503 response while this gateway is still reading the topics, else empty. */
    public Optional<MutableHttpResponse<byte[]>> ready() {
        return reader.caughtUp() && fileImport.granted() ? Optional.empty() : Optional.of(starting());
    }

    private static MutableHttpResponse<byte[]> starting() {
        return JsonResponses.unavailable("This gateway is still reading what there is; try again.");
    }

    private int perSecond(DeclaredAccount account, RequestRate rate) {
        DeclaredAccount.Limits limits = account.limits();
        Integer own = limits == null ? null : limits.requestsPerSecond();
        int submissions = own == null ? settings.requestsPerSecond() : own;
        return switch (rate) {
            case SUBMISSIONS -> submissions;
            // Who may submit so many reports may ask for the status of as many.
            case READS -> Math.max(settings.readsPerSecond(), submissions);
        };
    }

    private static String tooMany(RequestRate rate, int perSecond) {
        return switch (rate) {
            case SUBMISSIONS ->
                "The account may send " + perSecond
                        + " requests a second that submit, change or end something; this is one more.";
            case READS ->
                "The account may send " + perSecond
                        + " requests a second that read, validate or preview; this is one more.";
        };
    }

    private static Access denied(HttpStatus status, String error) {
        return new Access.Denied(JsonResponses.problem(status, error));
    }
}
