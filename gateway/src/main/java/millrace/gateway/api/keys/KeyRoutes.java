package millrace.gateway.api.keys;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.KeyUses;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.accounts.NewSecrets;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.api.keys.OwnChanges.Wanted;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.body.RequestBodyReader;
import millrace.runtime.accounts.Accounts;
import org.jspecify.annotations.Nullable;

/** Lists an account's keys, makes, changes and revokes them. */
@Controller("/v3/batch")
@BlockingRoutes
final class KeyRoutes {
    private final Accounts accounts;
    private final KeyUses uses;
    private final OwnChanges changes;
    private final RequestBodyReader bodies;
    private final InstantSource clock;

    KeyRoutes(Accounts accounts, KeyUses uses, OwnChanges changes, RequestBodyReader bodies, InstantSource clock) {
        this.accounts = accounts;
        this.uses = uses;
        this.changes = changes;
        this.bodies = bodies;
        this.clock = clock;
    }

    /**
     * @param current whether the request carries it
     * @param declared whether it comes from the operator's accounts file
     * @param scopes absent of a rest key
     * @param lastUsedAt to the hour; absent where nobody has used it
     */
    private record ListedKey(
            String id,
            AccountRecord.KeyKind kind,
            @Nullable String label,
            Instant issuedAt,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            boolean current,
            boolean declared,
            @Nullable Set<KeyScope> scopes,
            @Nullable Instant lastUsedAt) {}

    private record Owner(String id, String name) {}

    /** @param account whose keys they are */
    private record Listed(Owner account, List<ListedKey> keys) {}

    /** @param key its text */
    private record NewKey(
            String id,
            String key,
            @Nullable String label,
            Instant issuedAt,
            @Nullable Instant expiresAt,
            Set<KeyScope> scopes) {}

    /** Newest first. */
    @Get("/keys")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> list(HttpRequest<?> http) {
        Caller caller = ApiKeyFilter.caller(http);
        List<AccountRecord.Key> keys =
                accounts.record(caller.accountId()).map(AccountRecord::keys).orElse(List.of());
        return JsonResponses.ok(new Listed(
                new Owner(caller.accountId(), caller.account().name()),
                keys.stream()
                        .sorted(Comparator.comparing(AccountRecord.Key::issuedAt)
                                .reversed())
                        .map(key -> listed(key, caller))
                        .toList()));
    }

    /**
     * Makes a batch key, which has all scopes if none are given. One without an expiry expires with the key that the request
     * carries.
     */
    @Post("/keys")
    @RequiredScopes({KeyScope.READ, KeyScope.REQUEST, KeyScope.WEBHOOKS})
    HttpResponse<byte[]> make(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        Caller caller = ApiKeyFilter.caller(http);
        Instant now = clock.instant();
        return changes.make(http, body, f -> {
            String label = f.optional(KeyFields.LABEL, f::words);
            Instant given = f.optional(KeyFields.EXPIRES_AT, name -> f.timeAfter(name, now));
            Instant expiresAt = given == null ? caller.expiresAt() : given;
            Set<KeyScope> scopes = f.optional(KeyFields.SCOPES, name -> KeyFields.scopes(f));
            String text = NewSecrets.key();
            String sha256 = Hashes.sha256(text);
            String id = AccountRecord.Key.idOf(sha256);
            var key = new AccountRecord.Key(
                    id,
                    AccountRecord.KeyKind.BATCH,
                    sha256,
                    caller.dialect(),
                    label,
                    false,
                    now,
                    null,
                    expiresAt,
                    scopes);
            return new Wanted(
                    new AccountChange.IssueKey(key),
                    account ->
                            JsonResponses.created(new NewKey(id, text, label, now, expiresAt, key.effectiveScopes())));
        });
    }

    @Patch("/keys/{id}")
    @RequiredScopes({KeyScope.READ, KeyScope.REQUEST, KeyScope.WEBHOOKS})
    HttpResponse<byte[]> change(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body)
            throws IOException {
        Caller caller = ApiKeyFilter.caller(http);
        Instant now = clock.instant();
        return changes.make(
                http, body, f -> new Wanted(KeyFields.change(id, f, now), account -> answer(account, id, caller)));
    }

    /** Needs no body. */
    @Delete("/keys/{id}")
    @RequiredScopes({KeyScope.READ, KeyScope.REQUEST, KeyScope.WEBHOOKS})
    HttpResponse<byte[]> revoke(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        Caller caller = ApiKeyFilter.caller(http);
        bodies.skip(http, body);
        return changes.make(
                caller, new Wanted(new AccountChange.RevokeKey(id), account -> answer(account, id, caller)));
    }

    private HttpResponse<byte[]> answer(AccountRecord account, String keyId, Caller caller) {
        return account.keys().stream()
                .filter(key -> key.id().equals(keyId))
                .findFirst()
                .map(key -> JsonResponses.ok(listed(key, caller)))
                .orElseThrow(() -> new IllegalStateException("changed, and not there: " + keyId));
    }

    private ListedKey listed(AccountRecord.Key key, Caller caller) {
        return new ListedKey(
                key.id(),
                key.kind(),
                key.label(),
                key.issuedAt(),
                key.expiresAt(),
                key.revokedAt(),
                key.id().equals(caller.keyId()),
                key.declared(),
                key.kind() == AccountRecord.KeyKind.BATCH ? key.effectiveScopes() : null,
                uses.lastUsed(key.id()).orElse(null));
    }
}
