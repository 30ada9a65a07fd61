package millrace.gateway.api.keys;

import java.time.Instant;
import java.util.Set;
import java.util.function.Function;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.AccountChange.Replacement;
import millrace.gateway.server.body.BodyFields;
import org.jspecify.annotations.Nullable;

/** The fields of a key that may be changed. */
public final class KeyFields {
    static final String LABEL = "label";
    public static final String EXPIRES_AT = "expires_at";
    public static final String SCOPES = "scopes";

    private KeyFields() {}

    /** What the body changes: a field that is missing stays, one that is null is taken away. */
    public static AccountChange.ChangeKey change(String keyId, BodyFields body, Instant now) {
        return new AccountChange.ChangeKey(
                keyId,
                replacement(body, LABEL, body::words),
                replacement(body, EXPIRES_AT, name -> body.timeAfter(name, now)),
                replacement(body, SCOPES, name -> scopes(body)));
    }

    /** Those of the body. */
    public static Set<KeyScope> scopes(BodyFields body) {
        return KeyScope.copyOf(body.wordsOf(SCOPES, KeyScope.words()).stream()
                .map(KeyScope::of)
                .toList());
    }

    private static <T> @Nullable Replacement<T> replacement(BodyFields body, String name, Function<String, T> read) {
        if (body.isNull(name)) {
            return new Replacement<>(null);
        }
        T value = body.optional(name, read);
        return value == null ? null : new Replacement<>(value);
    }
}
