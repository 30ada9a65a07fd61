package millrace.gateway.api.keys;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.accounts.NewSecrets;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.api.keys.OwnChanges.Wanted;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.body.RequestBodyReader;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.SecretEncryption;
import millrace.webhook.WebhookSigner;
import org.jspecify.annotations.Nullable;

/** Lists the secrets that sign an account's webhooks, and makes a new one. */
@Controller("/v3/batch/webhooks")
@BlockingRoutes
final class SecretRoutes {
    private static final Duration OVERLAP = Duration.ofHours(24);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    private final Accounts accounts;
    private final OwnChanges changes;
    private final SecretEncryption encryption;
    private final InstantSource clock;

    SecretRoutes(Accounts accounts, OwnChanges changes, SecretEncryption encryption, InstantSource clock) {
        this.accounts = accounts;
        this.changes = changes;
        this.encryption = encryption;
        this.clock = clock;
    }

    /** @param expiresAt null of the newest, which signs until it is replaced */
    private record Listed(
            String id, Instant createdAt, @Nullable Instant expiresAt) {}

    private record Secrets(List<Listed> secrets) {}

    /** @param previousExpiresAt when the last of those before it stops signing; null where none of them signs */
    private record NewSecret(
            String id,
            String secret,
            Instant createdAt,
            @Nullable Instant previousExpiresAt) {}

    /** Those that sign now, the newest first. */
    @Get("/secrets")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> list(HttpRequest<?> http) {
        return JsonResponses.ok(new Secrets(
                accounts.record(ApiKeyFilter.caller(http).accountId()).map(this::signing).orElse(List.of()).stream()
                        .map(s -> new Listed(s.id(), s.createdAt(), s.expiresAt()))
                        .toList()));
    }

    @Post("/secrets")
    @RequiredScopes(KeyScope.WEBHOOKS)
    HttpResponse<byte[]> rotate(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        String accountId = ApiKeyFilter.caller(http).accountId();
        if (!WebhookSigner.publicKeys(accounts.webhookSecrets(accountId).orElse(List.of()))
                .isEmpty()) {
            throw RequestBodyReader.refusal(
                    http,
                    body,
                    JsonResponses.problem(
                            ProblemCode.CHANGE_REFUSED,
                            "The account's webhooks are signed with an ed25519 key, which its operator replaces."));
        }
        return changes.make(http, body, f -> {
            String secret = NewSecrets.webhookSecret();
            AccountRecord.Secret sealed = NewSecrets.sealed(encryption, accountId, secret, clock.instant());
            return new Wanted(
                    new AccountChange.RotateSecret(sealed, f.duration("overlap", OVERLAP, LONGEST_OVERLAP)),
                    account -> JsonResponses.created(
                            new NewSecret(sealed.id(), secret, sealed.createdAt(), endOfOthers(account, sealed.id()))));
        });
    }

    private List<AccountRecord.Secret> signing(AccountRecord account) {
        Instant now = clock.instant();
        return account.webhookSecrets().stream()
                .filter(s -> s.expiresAt() == null || s.expiresAt().isAfter(now))
                .toList();
    }

    private static @Nullable Instant endOfOthers(AccountRecord account, String id) {
        return account.webhookSecrets().stream()
                .filter(s -> !s.id().equals(id))
                .flatMap(s -> Stream.ofNullable(s.expiresAt()))
                .max(Instant::compareTo)
                .orElse(null);
    }
}
