package millrace.gateway.accounts.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.KeyKind;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import millrace.gateway.accounts.rules.AccountChange.Replacement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an account may do with one of its keys. Keys are named by their ids. */
class OwnKeyRulesTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final Instant MONTH = Instant.parse("2026-12-02T12:00:00Z");
    private static final Instant YEAR = Instant.parse("2027-11-02T12:00:00Z");

    private AccountRecord account = account(key("lasting", null), key("brief", MONTH));

    @Test
    void aKeyIsAsTheOneThatMakesIt() {
        account = account(new AccountRecord.Key(
                "key_old",
                KeyKind.BATCH,
                Hashes.sha256("old"),
                ApiDialect.ORIGINAL,
                null,
                true,
                NOON,
                null,
                MONTH,
                null));
        var asked = new AccountRecord.Key(
                "key_new", KeyKind.REST, Hashes.sha256("new"), ApiDialect.V3, "jobs", true, NOON, null, MONTH, null);
        assertThat(by("key_old", new AccountChange.IssueKey(asked))).isEqualTo("key_issued");
        assertThat(account.keys().getLast())
                .isEqualTo(new AccountRecord.Key(
                        "key_new",
                        KeyKind.BATCH,
                        asked.sha256(),
                        ApiDialect.ORIGINAL,
                        "jobs",
                        false,
                        NOON,
                        null,
                        MONTH,
                        null));
    }

    @Test
    void noKeyIsValidForLongerThanTheOneThatAsks() {
        String refused =
                "refused: expires_at: must not be after 2026-12-02T12:00:00.000Z, when the key expires that this request carries.";
        assertThat(by("key_brief", new AccountChange.IssueKey(key("a", null)))).isEqualTo(refused);
        assertThat(by("key_brief", new AccountChange.IssueKey(key("a", YEAR)))).isEqualTo(refused);
        assertThat(by("key_brief", expiry("key_brief", YEAR))).isEqualTo(refused);
        assertThat(by("key_brief", expiry("key_lasting", null))).isEqualTo(refused);
        assertThat(by("key_brief", new AccountChange.IssueKey(key("a", MONTH)))).isEqualTo("key_issued");
        assertThat(by("key_brief", label("key_lasting", "jobs"))).isEqualTo("key_changed");
        by("key_lasting", new AccountChange.IssueKey(key("other", null)));
        assertThat(by("key_lasting", expiry("key_lasting", MONTH.minusMillis(1))))
                .isEqualTo("key_changed");
        assertThat(by("key_lasting", expiry("key_brief", YEAR)))
                .as("it is brief itself now")
                .startsWith("refused: expires_at: must not be after 2026-12-02T11:59:59.999Z");
    }

    @Test
    void aKeyThatLastsChangesTheOthers() {
        assertThat(by("key_lasting", expiry("key_brief", YEAR))).isEqualTo("key_changed");
        assertThat(by("key_lasting", expiry("key_brief", YEAR))).isEqualTo("unchanged");
        assertThat(by("key_lasting", expiry("key_brief", null))).isEqualTo("key_changed");
        assertThat(by("key_lasting", label("key_brief", "jobs"))).isEqualTo("key_changed");
        assertThat(account.keys().getLast())
                .extracting(AccountRecord.Key::label, AccountRecord.Key::expiresAt)
                .containsExactly("jobs", null);
        assertThat(by("key_lasting", label("key_brief", null))).isEqualTo("key_changed");
        assertThat(by("key_lasting", label("key_none", "x"))).isEqualTo("unknown: Account acme has no key key_none.");
        by("key_lasting", new AccountChange.RevokeKey("key_brief"));
        assertThat(by("key_lasting", expiry("key_brief", YEAR)))
                .isEqualTo("refused: Key key_brief is revoked; make another one.");
    }

    @Test
    void theLastValidBatchKeyStays() {
        account = account(
                key("used", null), key("expired", NOON), key("revoked", null).revoked(NOON), restKey());
        var itself = new AccountChange.RevokeKey("key_used");
        assertThat(by("key_used", itself))
                .isEqualTo("refused: key_used is the last valid batch key of the account; make another one first.");
        by("key_used", new AccountChange.IssueKey(key("another", null)));
        assertThat(by("key_used", itself)).isEqualTo("key_revoked");
        assertThat(by("key_used", itself))
                .as("a commit whose acknowledgement was lost")
                .isEqualTo("unchanged");
        assertThat(by("key_another", new AccountChange.RevokeKey("key_rest"))).isEqualTo("key_revoked");
    }

    @Test
    void aKeyEndsNoneThatLastsLonger() {
        account = account(key("lasting", null), key("brief", MONTH), key("twin", MONTH), key("year", YEAR), restKey());
        for (String longer : List.of("key_lasting", "key_year", "key_rest")) {
            String refused = "refused: " + longer + " is valid for longer than key_brief, which this request carries;"
                    + " use a key that is valid for as long.";
            assertThat(by("key_brief", new AccountChange.RevokeKey(longer))).isEqualTo(refused);
            assertThat(by("key_brief", expiry(longer, NOON.plusSeconds(1)))).isEqualTo(refused);
            assertThat(by("key_brief", expiry(longer, MONTH))).isEqualTo(refused);
        }
        assertThat(by("key_brief", expiry("key_twin", NOON.plusSeconds(1)))).isEqualTo("key_changed");
        assertThat(by("key_brief", new AccountChange.RevokeKey("key_twin"))).isEqualTo("key_revoked");
        assertThat(by("key_brief", new AccountChange.RevokeKey("key_brief"))).isEqualTo("key_revoked");
        assertThat(by("key_lasting", new AccountChange.RevokeKey("key_year"))).isEqualTo("key_revoked");
        assertThat(by("key_lasting", new AccountChange.RevokeKey("key_rest"))).isEqualTo("key_revoked");
    }

    /** An account that cannot make lasting keys any more is locked out when its last key expires. */
    @Test
    void theLastKeyThatLastsStays() {
        String refused =
                "refused: key_lasting is the last valid batch key of the account that lasts as long; make another one first.";
        assertThat(by("key_lasting", new AccountChange.RevokeKey("key_lasting")))
                .isEqualTo(refused);
        assertThat(by("key_lasting", expiry("key_lasting", YEAR))).isEqualTo(refused);
        assertThat(by("key_lasting", label("key_lasting", "jobs"))).isEqualTo("key_changed");
        account = account(key("only", null));
        assertThat(by("key_only", expiry("key_only", NOON.plusSeconds(1))))
                .isEqualTo("refused: key_only is the last valid batch key of the account; make another one first.");
        // One that leaked is replaced by one that lasts as long.
        account = account(key("leaked", MONTH));
        assertThat(by("key_leaked", expiry("key_leaked", NOON.plusSeconds(1)))).startsWith("refused: ");
        by("key_leaked", new AccountChange.IssueKey(key("new", MONTH)));
        assertThat(by("key_new", new AccountChange.RevokeKey("key_leaked"))).isEqualTo("key_revoked");
    }

    @Test
    void keysWithScopesAreMadeWithAKeyThatHasAll() {
        assertThat(by("key_lasting", new AccountChange.IssueKey(scoped("reads", KeyScope.READ))))
                .isEqualTo("key_issued");
        assertThat(account.keys().getLast().effectiveScopes()).containsExactly(KeyScope.READ);
        assertThat(by("key_lasting", scopes("key_reads", KeyScope.WEBHOOKS, KeyScope.REQUEST)))
                .isEqualTo("key_changed");
        assertThat(account.keys().getLast().effectiveScopes()).containsExactly(KeyScope.REQUEST, KeyScope.WEBHOOKS);
        assertThat(by("key_lasting", scopes("key_reads"))).isEqualTo("key_changed");
        assertThat(account.keys().getLast().effectiveScopes()).isEqualTo(KeyScope.ALL);
        assertThat(by("key_brief", scopes("key_reads", KeyScope.READ)))
                .startsWith("refused: key_reads is valid for longer than key_brief");
    }

    /** The gateway that let the request in had not read yet that the key has fewer scopes. */
    @Test
    void aKeyThatLostScopesMeanwhileChangesNothing() {
        account = account(key("lasting", null), scoped("rest", KeyScope.READ, KeyScope.REQUEST));
        for (AccountChange change : List.of(
                new AccountChange.IssueKey(scoped("reads", KeyScope.READ)),
                new AccountChange.RevokeKey("key_rest"),
                label("key_rest", "jobs"),
                scopes("key_rest"),
                rotation("s", Duration.ZERO))) {
            assertThat(by("key_rest", change))
                    .isEqualTo(
                            "refused: The key that this request carries, key_rest, has other scopes by now; nothing was"
                                    + " changed.");
        }
        account = account(key("lasting", null), scoped("hooks", KeyScope.WEBHOOKS));
        assertThat(by("key_hooks", rotation("s", Duration.ZERO))).isEqualTo("secret_rotated");
        assertThat(by("key_hooks", new AccountChange.RevokeKey("key_hooks"))).startsWith("refused: ");
    }

    /** With keys that have some scopes only, an account could make no others. */
    @Test
    void theLastKeyWithAllScopesStays() {
        account = account(key("whole", null), scoped("most", KeyScope.READ, KeyScope.REQUEST));
        String refused =
                "refused: key_whole is the last valid batch key of the account with all scopes; make another one first.";
        assertThat(by("key_whole", new AccountChange.RevokeKey("key_whole"))).isEqualTo(refused);
        assertThat(by("key_whole", scopes("key_whole", KeyScope.READ))).isEqualTo(refused);
        assertThat(by("key_whole", scopes("key_whole", KeyScope.values())))
                .as("all, by name")
                .isEqualTo("key_changed");
        assertThat(by("key_whole", scopes("key_most"))).isEqualTo("key_changed");
        assertThat(by("key_whole", scopes("key_whole", KeyScope.READ))).isEqualTo("key_changed");
    }

    @Test
    void aRestKeyHasNoScopes() {
        account = account(key("lasting", null), restKey());
        assertThat(by("key_lasting", scopes("key_rest", KeyScope.READ)))
                .isEqualTo("refused: Key key_rest is a rest key, which has no scopes: it reads capabilities only.");
    }

    @Test
    void operatorsEndAnyKey() {
        for (AccountChange change : List.of(
                expiry("key_lasting", NOON.plusSeconds(1)),
                new AccountChange.RevokeKey("key_lasting"),
                new AccountChange.RevokeKey("key_brief"))) {
            assertThat(AccountRules.decide("acme", account, change, NOON))
                    .isInstanceOfSatisfying(AccountDecision.Changed.class, changed -> account = changed.after());
        }
        assertThat(account.keys()).noneMatch(key -> key.validAt(NOON));
    }

    /** Two that revoke each other at the same moment: the second one is decided after the first. */
    @Test
    void aKeyThatWasRevokedMeanwhileChangesNothing() {
        assertThat(by("key_lasting", new AccountChange.RevokeKey("key_brief"))).isEqualTo("key_revoked");
        assertThat(by("key_brief", new AccountChange.RevokeKey("key_lasting")))
                .isEqualTo("refused: The key that this request carries, key_brief, is not valid any more; nothing was"
                        + " changed.");
        account = account(key("brief", MONTH));
        assertThat(decided(MONTH, "key_brief", new AccountChange.IssueKey(key("a", MONTH))))
                .startsWith("refused: The key that this request carries");
        assertThat(by("key_rest", label("key_brief", "x"))).startsWith("refused: The key that this request carries");
    }

    @Test
    void aClientInALoopIsStopped() {
        account = account(new AccountRecord.Key(
                "key_lasting",
                KeyKind.BATCH,
                Hashes.sha256("lasting"),
                null,
                null,
                false,
                NOON.minusSeconds(86_400),
                null,
                null,
                null));
        for (int i = 0; i < 100; i++) {
            assertThat(by("key_lasting", new AccountChange.IssueKey(key("k" + i, null))))
                    .isEqualTo("key_issued");
            assertThat(by("key_lasting", new AccountChange.RevokeKey("key_k" + i)))
                    .isEqualTo("key_revoked");
        }
        var another = new AccountChange.IssueKey(key("another", null));
        assertThat(by("key_lasting", another))
                .isEqualTo("refused: The account has made 100 keys within a day, which is the most; try again later.");
        assertThat(by("key_lasting", new AccountChange.IssueKey(key("k99", null))))
                .as("a commit whose acknowledgement was lost")
                .isEqualTo("unchanged");
        assertThat(decided(NOON.plus(Duration.ofDays(1)), "key_lasting", another))
                .isEqualTo("key_issued");
    }

    @Test
    void ofKeysThatHaveEndedTheNewest100AreShown() {
        List<AccountRecord.Key> keys = new ArrayList<>(List.of(key("lasting", null)));
        keys.add(new AccountRecord.Key(
                "key_file", KeyKind.BATCH, Hashes.sha256("file"), null, null, true, NOON, NOON, null, null));
        for (int i = 0; i < 60; i++) {
            keys.add(key("e" + i, NOON.minusSeconds(60 + i)));
            keys.add(key("r" + i, null).revoked(NOON.minusSeconds(60 + i)));
        }
        account = account(keys.toArray(AccountRecord.Key[]::new));
        AccountChange made = new AccountChange.IssueKey(key("new", null));
        assertThat(decided(NOON.plus(Duration.ofDays(2)), "key_lasting", made)).isEqualTo("key_issued");
        assertThat(account.keys())
                .extracting(AccountRecord.Key::id)
                .hasSize(103)
                .contains("key_file", "key_e49", "key_r49", "key_new");
        assertThat(account.keys()).extracting(AccountRecord.Key::id).doesNotContain("key_e50", "key_r50");
        now = NOON.plus(Duration.ofDays(800));
        by("key_lasting", new AccountChange.IssueKey(key("newer", null)));
        assertThat(account.keys())
                .as("the file's key would be new to the next import")
                .extracting(AccountRecord.Key::id)
                .containsExactly("key_lasting", "key_file", "key_new", "key_newer");
    }

    @Test
    void onlySoManySecretsSign() {
        for (int i = 0; i < 10; i++) {
            assertThat(by("key_lasting", rotation("s" + i, Duration.ofHours(1))))
                    .isEqualTo("secret_rotated");
        }
        assertThat(by("key_lasting", rotation("more", Duration.ofHours(1))))
                .isEqualTo("refused: The account has 10 webhook secrets that sign, which is the most; choose a shorter"
                        + " overlap.");
        assertThat(by("key_lasting", rotation("more", Duration.ZERO))).isEqualTo("secret_rotated");
        assertThat(account.webhookSecrets()).hasSize(1);
    }

    private Instant now = NOON;

    private String by(String keyId, AccountChange change) {
        return decided(now, keyId, change);
    }

    private String decided(Instant at, String keyId, AccountChange change) {
        return switch (AccountRules.decide("acme", account, new AccountChange.ByOwnKey(keyId, change), at)) {
            case AccountDecision.Unchanged _ -> "unchanged";
            case AccountDecision.Refused(var code, String sentence) ->
                (code.status() == 404 ? "unknown: " : "refused: ") + sentence;
            case AccountDecision.Changed changed -> {
                account = changed.after();
                yield changed.action().word();
            }
        };
    }

    private static AccountChange label(String keyId, @Nullable String label) {
        return new AccountChange.ChangeKey(keyId, new Replacement<>(label), null, null);
    }

    private static AccountChange expiry(String keyId, @Nullable Instant expiresAt) {
        return new AccountChange.ChangeKey(keyId, null, new Replacement<>(expiresAt), null);
    }

    private static AccountChange scopes(String keyId, KeyScope... scopes) {
        return new AccountChange.ChangeKey(
                keyId, null, null, new Replacement<>(scopes.length == 0 ? null : Set.of(scopes)));
    }

    private static AccountRecord.Key scoped(String name, KeyScope... scopes) {
        return key(name, null).changed(null, null, Set.of(scopes));
    }

    private static AccountChange rotation(String id, Duration overlap) {
        return new AccountChange.RotateSecret(new AccountRecord.Secret(id, "sealed", NOON, null), overlap);
    }

    private static AccountRecord account(AccountRecord.Key... keys) {
        AccountRecordEditor draft = AccountRecordEditor.ofNew("acme", NOON);
        draft.name = "Acme";
        draft.keys = List.of(keys);
        return draft.next(NOON);
    }

    private static AccountRecord.Key restKey() {
        return new AccountRecord.Key(
                "key_rest", KeyKind.REST, Hashes.sha256("rest"), null, null, false, NOON, null, null, null);
    }

    private static AccountRecord.Key key(String name, @Nullable Instant expiresAt) {
        return new AccountRecord.Key(
                "key_" + name, KeyKind.BATCH, Hashes.sha256(name), null, null, false, NOON, null, expiresAt, null);
    }
}
