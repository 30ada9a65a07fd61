package millrace.gateway.accounts.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The keys of an account after the accounts file changed: {@code one revoked, two valid}. */
class AccountsFileEntryKeysTest {
    private static final Instant NOW = Instant.parse("2026-11-02T12:00:00Z");
    private static final SecretEncryption BOX =
            SecretEncryption.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final DeclaredAccount.Key ONE = key("one", true);
    private static final DeclaredAccount.Key TWO = key("two", true);

    private @Nullable AccountRecord account;

    @Test
    void anEntryOfAnotherKeyTakesNoRevocationBack() {
        declare(BOX, ONE, TWO);
        revoke("one");
        declare(BOX, ONE, TWO, key("three", true));
        assertThat(keys()).containsExactly("one revoked", "two valid", "three valid");
        declare(BOX, ONE);
        assertThat(keys()).containsExactly("one revoked");
    }

    @Test
    void theKeysOwnEntryCountsOnceItChanges() {
        declare(BOX, ONE, key("two", false));
        revoke("one");
        declare(BOX, ONE, TWO);
        assertThat(keys()).containsExactly("one revoked", "two valid");
        declare(BOX, key("one", false), TWO);
        declare(BOX, ONE, TWO);
        assertThat(keys()).containsExactly("one valid", "two valid");
    }

    @Test
    void aNewAccountsKeyTakesNoRevocationBack() {
        declare(BOX, ONE);
        revoke("one");
        declare(SecretEncryption.of("fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII)), ONE, TWO);
        assertThat(keys()).containsExactly("one revoked", "two valid");
    }

    /** They kept no fingerprint of a single key. */
    @Test
    void aRevocationUnderAnEarlierBuildStays() {
        declare(BOX, ONE);
        revoke("one");
        account = withoutFingerprintsOfKeys(Objects.requireNonNull(account));
        declare(BOX, ONE, TWO);
        assertThat(keys()).containsExactly("one revoked", "two valid");
    }

    @Test
    void issuedKeysStay() {
        declare(BOX, ONE);
        make(new AccountChange.IssueKey(new AccountRecord.Key(
                "key_issued",
                AccountRecord.KeyKind.REST,
                Hashes.sha256("issued"),
                null,
                null,
                false,
                NOW,
                null,
                null,
                null)));
        declare(BOX, TWO);
        assertThat(keys()).containsExactly("two valid", "issued valid");
    }

    @Test
    void scopesAreThoseOfTheFile() {
        declare(
                BOX,
                new DeclaredAccount.Key(
                        AccountRecord.KeyKind.BATCH, Hashes.sha256("one"), null, true, null, Set.of(KeyScope.READ)));
        assertThat(Objects.requireNonNull(account).keys().getFirst().effectiveScopes())
                .containsExactly(KeyScope.READ);
        declare(BOX, ONE);
        assertThat(Objects.requireNonNull(account).keys().getFirst().effectiveScopes())
                .isEqualTo(KeyScope.ALL);
    }

    private void declare(SecretEncryption box, DeclaredAccount.Key... keys) {
        var entry = new DeclaredAccount("acme", "Acme", List.of(keys), 0, Map.of(), null, List.of());
        make(new AccountChange.Declare(AccountsFileEntry.of(entry, box, NOW)));
    }

    private void revoke(String text) {
        make(new AccountChange.RevokeKey(AccountRecord.Key.idOf(Hashes.sha256(text))));
    }

    private void make(AccountChange change) {
        if (AccountRules.decide("acme", account, change, NOW) instanceof AccountDecision.Changed changed) {
            account = changed.after();
        }
    }

    private List<String> keys() {
        Map<String, String> texts = new HashMap<>();
        List.of("one", "two", "three", "issued").forEach(text -> texts.put(Hashes.sha256(text), text));
        return Objects.requireNonNull(account).keys().stream()
                .map(key -> texts.get(key.sha256()) + (key.revokedAt() == null ? " valid" : " revoked"))
                .toList();
    }

    private static AccountRecord withoutFingerprintsOfKeys(AccountRecord a) {
        Map<String, String> declared = new HashMap<>(a.declared());
        declared.keySet().removeIf(part -> part.startsWith("keys."));
        var edited = new AccountRecordEditor(a);
        edited.declared = declared;
        return edited.record();
    }

    private static DeclaredAccount.Key key(String text, boolean active) {
        return new DeclaredAccount.Key(AccountRecord.KeyKind.BATCH, Hashes.sha256(text), null, active);
    }
}
