package millrace.gateway.access;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.copy.reports.ModelReader;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.LimitHeaders;
import millrace.gateway.server.RefusedException;
import millrace.gateway.settings.GatewaySettings;
import org.jspecify.annotations.Nullable;

/**
 * Checks what every call with a key needs: a valid key of the right kind and with the scopes of the
 * route, the account's rate limits, and that this gateway has read the topics.
 */
@Singleton
public final class AccessCheck {
    private static final String SUSPENDED =
            "The account is suspended: new requests are not answered; reports that were accepted go on.";
    private static final String WRONG_KEY = "must be a valid, active key";

    private final ApiKeys keys;
    private final KeyUses uses;
    private final ClusterRateLimit rates;
    private final ModelReader reader;
    private final AccountsFileImport fileImport;
    private final GatewaySettings settings;
    private final InstantSource clock;

    AccessCheck(
            ApiKeys keys,
            KeyUses uses,
            ClusterRateLimit rates,
            ModelReader reader,
            AccountsFileImport fileImport,
            GatewaySettings settings,
            InstantSource clock) {
        this.keys = keys;
        this.uses = uses;
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

    /**
     * Checks a call that needs a batch key, and counts it against the rate.
     *
     * @param header that has the key
     */
    Access batch(HttpRequest<?> http, String header, @Nullable String key, RequestRate rate) {
        if (key == null || key.isBlank()) {
            return denied(ProblemCode.KEY_MISSING, header + ": the header is missing; send your key in it.");
        }
        Optional<Caller> caller = keys.caller(key);
        if (caller.isPresent() && caller.get().kind() != AccountRecord.KeyKind.BATCH) {
            return denied(
                    ProblemCode.WRONG_KEY_KIND, header + ": this is a rest key; batch requests need a batch key.");
        }
        return checkCaller(http, header, caller, rate);
    }

    /**
     * Checks what a call needs beyond its route, if one route takes calls of several kinds: another scope, and a place in
     * another rate.
     *
     * @throws RefusedException if the key does not have the scope, or too many such calls came
     */
    public void require(HttpRequest<?> http, Caller caller, KeyScope scope, RequestRate rate) {
        Optional<Access> denied = tooFast(http, caller.account(), rate).or(() -> lacking(Set.of(scope), "key", caller));
        if (denied.isPresent() && denied.get() instanceof Access.Denied(var answer)) {
            throw new RefusedException(answer);
        }
    }

    /** Checks a call that reads and that any kind of key opens. */
    public Access any(HttpRequest<?> http, @Nullable String key) {
        if (key == null || key.isBlank()) {
            return denied(ProblemCode.KEY_MISSING, "api_key: the query parameter is missing; send your key in it.");
        }
        return checkCaller(http, "api_key", keys.caller(key), RequestRate.READS);
    }

    private Access checkCaller(HttpRequest<?> http, String where, Optional<Caller> caller, RequestRate rate) {
        if (caller.isEmpty()) {
            // This gateway may not have read the account of the key yet.
            return fileImport.granted()
                    ? denied(ProblemCode.KEY_UNKNOWN, where + ": " + WRONG_KEY + ".")
                    : new Access.Denied(starting());
        }
        Instant now = clock.instant();
        if (caller.get().expiredAt(now)) {
            return denied(
                    ProblemCode.KEY_EXPIRED,
                    where + ": the key expired at "
                            + Json.format(Objects.requireNonNull(caller.get().expiresAt())) + "; use another one.");
        }
        uses.used(caller.get().keyId(), now);
        AccountRecord account = caller.get().account();
        if (account.suspended()) {
            return denied(ProblemCode.ACCOUNT_SUSPENDED, SUSPENDED);
        }
        Optional<Access> tooFast = tooFast(http, account, rate);
        if (tooFast.isPresent()) {
            return tooFast.get();
        }
        return ready().<Access>map(Access.Denied::new).orElseGet(() -> checkScopes(http, where, caller.get()));
    }

    private Optional<Access> tooFast(HttpRequest<?> http, AccountRecord account, RequestRate rate) {
        int perSecond = perSecond(account, rate);
        ClusterRateLimit.Taken taken = rates.take(account.accountId(), rate, perSecond);
        LimitHeaders.addPerSecond(http, rate.policy(), perSecond, taken.left(), taken.pause());
        return taken.pause()
                .map(pause -> new Access.Denied(JsonResponses.retryAfter(
                        JsonResponses.problem(ProblemCode.RATE_LIMITED, tooMany(rate, perSecond)), pause)));
    }

    private static Access checkScopes(HttpRequest<?> http, String where, Caller caller) {
        // Most keys have all of them, and need no look at the route.
        return caller.scopes().equals(KeyScope.ALL)
                ? new Access.Granted(caller)
                : lacking(required(http), where, caller).orElseGet(() -> new Access.Granted(caller));
    }

    private static Optional<Access> lacking(Set<KeyScope> required, String where, Caller caller) {
        Set<KeyScope> has = caller.scopes();
        List<KeyScope> missing =
                required.stream().filter(scope -> !has.contains(scope)).toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(denied(
                        ProblemCode.SCOPE_MISSING,
                        where + ": the key does not have the scope" + (missing.size() == 1 ? " " : "s ")
                                + String.join(", ", KeyScope.words(missing)) + ", which this call needs; it has "
                                + String.join(", ", KeyScope.words(has)) + "."));
    }

    /** None where no route takes the request, so that it is answered 404 or 405. */
    private static Set<KeyScope> required(HttpRequest<?> http) {
        return RouteAttributes.getRouteMatch(http)
                .map(route -> route.getAnnotationMetadata()
                        .enumValuesSet(RequiredScopes.class, AnnotationMetadata.VALUE_MEMBER, KeyScope.class))
                .map(declared -> declared.isEmpty() ? KeyScope.ALL : declared)
                .orElse(Set.of());
    }

    /** Whether the key is still one that reads what the account has. Counts against no rate. */
    public boolean granted(String key, String accountId) {
        return keys.caller(key)
                .filter(caller -> caller.kind() == AccountRecord.KeyKind.BATCH
                        && !caller.expiredAt(clock.instant())
                        && !caller.account().suspended()
                        && caller.scopes().contains(KeyScope.READ)
                        && caller.accountId().equals(accountId))
                .isPresent();
    }

    /** A 503 response while this gateway is still reading the topics, else empty. */
    public Optional<MutableHttpResponse<byte[]>> ready() {
        return reader.caughtUp() && fileImport.granted() ? Optional.empty() : Optional.of(starting());
    }

    private static MutableHttpResponse<byte[]> starting() {
        return JsonResponses.unavailable(
                ProblemCode.GATEWAY_STARTING, "This gateway is still reading what there is; try again.");
    }

    private int perSecond(AccountRecord account, RequestRate rate) {
        AccountRecord.Limits limits = account.limits();
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

    private static Access denied(ProblemCode code, String error) {
        return new Access.Denied(JsonResponses.problem(code, error));
    }
}
