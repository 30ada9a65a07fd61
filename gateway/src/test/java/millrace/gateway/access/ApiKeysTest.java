package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.access.Entitlements;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {
    private static final Instant EXPIRY = Instant.parse("2026-12-31T00:00:00Z");
    private static final AccountRecord ACME = account(
            "acme",
            List.of(
                    key("one", AccountRecord.KeyKind.BATCH, null, null, null, null),
                    key("two", AccountRecord.KeyKind.REST, ApiDialect.ORIGINAL, null, EXPIRY, null),
                    key("off", AccountRecord.KeyKind.BATCH, null, EXPIRY, null, null),
                    key("reads", AccountRecord.KeyKind.BATCH, null, null, null, Set.of(KeyScope.READ))));
    private static final Entitlements NONE = new Entitlements(Map.of());

    private final ApiKeys keys = new ApiKeys();

    ApiKeysTest() {
        keys.put(ACME);
    }

    @Test
    void findsUsableKeysWithTheirKindAndDialect() {
        assertThat(keys.caller("one"))
                .contains(new Caller(
                        ACME, NONE, AccountRecord.KeyKind.BATCH, ApiDialect.V3, id("one"), KeyScope.ALL, null));
        assertThat(keys.caller("two"))
                .contains(new Caller(
                        ACME, NONE, AccountRecord.KeyKind.REST, ApiDialect.ORIGINAL, id("two"), KeyScope.ALL, EXPIRY));
        assertThat(keys.caller("reads")).map(Caller::scopes).contains(Set.of(KeyScope.READ));
    }

    @Test
    void doesNotTellMissingUnknownAndSwitchedOffApart() {
        assertThat(keys.caller(null)).isEmpty();
        assertThat(keys.caller("")).isEmpty();
        assertThat(keys.caller("three")).isEmpty();
        assertThat(keys.caller("off")).isEmpty();
        assertThat(keys.caller(Hashes.sha256("one"))).isEmpty();
    }

    @Test
    void aKeyOpensNothingFromItsExpiryOn() {
        Caller caller = keys.caller("two").orElseThrow();
        assertThat(caller.expiredAt(EXPIRY.minusMillis(1))).isFalse();
        assertThat(caller.expiredAt(EXPIRY)).isTrue();
        assertThat(keys.caller("one").orElseThrow().expiredAt(Instant.MAX)).isFalse();
    }

    /** Accounts are read from several partitions: in any order, but for the records of one account. */
    @ParameterizedTest
    @ValueSource(strings = {"a+ a- b+", "a+ b+ a-", "b+ a+ a-", "a+ a- b- b+", "b- b+ a+ a-", "b- a+ b+ a-"})
    void aKeyThatMovedOpensItsNewAccount(String records) {
        var moved = new ApiKeys();
        for (String record : records.split(" ", -1)) {
            moved.put(account(record.substring(0, 1), record.endsWith("+")));
        }
        assertThat(moved.caller("moved")).map(Caller::accountId).contains("b");
    }

    private static String id(String text) {
        return "key_" + Hashes.sha256(text).substring(0, 12);
    }

    private static AccountRecord account(String id, boolean has) {
        return account(
                id, has ? List.of(key("moved", AccountRecord.KeyKind.BATCH, null, null, null, null)) : List.of());
    }

    private static AccountRecord account(String id, List<AccountRecord.Key> keys) {
        return new AccountRecord(
                id,
                1,
                id,
                false,
                keys,
                Map.of(),
                null,
                null,
                List.of(),
                Map.of(),
                Instant.EPOCH,
                null,
                null,
                null,
                null);
    }

    private static AccountRecord.Key key(
            String text,
            AccountRecord.KeyKind kind,
            @Nullable ApiDialect dialect,
            @Nullable Instant revokedAt,
            @Nullable Instant expiresAt,
            @Nullable Set<KeyScope> scopes) {
        return new AccountRecord.Key(
                id(text), kind, Hashes.sha256(text), dialect, null, false, Instant.EPOCH, revokedAt, expiresAt, scopes);
    }
}
