package millrace.runtime.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccountsTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

    private final SecretEncryption box =
            SecretEncryption.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private final List<AccountRecord> changed = new ArrayList<>();
    private Instant now = NOON;
    private final Accounts accounts = new Accounts(box, () -> now, changed::add);

    @Test
    void knowsTheNewestRevision() {
        accounts.fold(record("acme", 2, "two"));
        accounts.fold(record("acme", 1, "one"));
        accounts.fold(record("acme", 3, "three"));
        accounts.fold(record("beta", 1, "beta"));
        assertThat(accounts.records()).extracting(AccountRecord::name).containsExactly("three", "beta");
        assertThat(changed).extracting(AccountRecord::name).containsExactly("two", "three", "beta");
    }

    @Test
    void secretsSignUntilTheyExpire() {
        accounts.fold(record("acme", 1, "Acme", secret("new", null), secret("old", NOON.plusSeconds(60))));
        assertThat(accounts.webhookSecrets("acme")).contains(List.of("new", "old"));
        now = NOON.plus(Duration.ofSeconds(59));
        assertThat(accounts.webhookSecrets("acme")).contains(List.of("new", "old"));
        now = NOON.plus(Duration.ofSeconds(60));
        assertThat(accounts.webhookSecrets("acme")).contains(List.of("new"));
        assertThat(accounts.webhookSecrets("nobody")).isEqualTo(Optional.empty());
    }

    @Test
    void whatCannotBeOpenedDoesNotKeepKeysAlive() {
        accounts.fold(record("acme", 1, "Acme", secret("new", null)));
        var foreign = new AccountRecord.Secret("whs_x", "00000000.AAAA", NOON, null);
        assertThatThrownBy(() -> accounts.fold(record("acme", 2, "Acme plc", foreign)))
                .isInstanceOf(SecretDecryptionException.class);
        assertThat(accounts.webhookSecrets("acme")).contains(List.of("new"));
        assertThat(changed).extracting(AccountRecord::name).containsExactly("Acme", "Acme plc");
    }

    private AccountRecord.Secret secret(String text, @Nullable Instant until) {
        return new AccountRecord.Secret("whs_" + text, box.seal("acme", "whs_" + text, text), NOON, until);
    }

    private static AccountRecord record(String id, long revision, String name, AccountRecord.Secret... secrets) {
        return new AccountRecord(
                id,
                revision,
                name,
                true,
                List.of(key("one", null), key("two", NOON)),
                Map.of(),
                null,
                null,
                List.of(secrets),
                Map.of(),
                NOON,
                null,
                null,
                null,
                null);
    }

    private static AccountRecord.Key key(String text, @Nullable Instant revoked) {
        return new AccountRecord.Key(
                "key_" + text,
                AccountRecord.KeyKind.BATCH,
                Hashes.sha256(text),
                null,
                null,
                false,
                NOON,
                revoked,
                null,
                null);
    }
}
