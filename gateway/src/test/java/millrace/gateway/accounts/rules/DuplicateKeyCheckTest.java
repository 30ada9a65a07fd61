package millrace.gateway.accounts.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.problems.ProblemCode;
import org.junit.jupiter.api.Test;

/** Accounts are written as their valid keys; one after a minus is revoked. */
class DuplicateKeyCheckTest {
    private static final Instant NOW = Instant.parse("2026-11-02T12:00:00Z");
    private static final String K = AccountRecord.Key.idOf(Hashes.sha256("k"));

    private final Map<String, AccountRecord> known = new LinkedHashMap<>();

    @Test
    void anotherAccountsKeyIsRefused() {
        known("a", "k");
        known("b");
        assertThat(checked(changed("b", "k")))
                .containsExactly("keys: " + K + " is a key of account a already; revoke it there first.");
        assertThat(checked(changed("new", "own", "k")))
                .singleElement()
                .asString()
                .startsWith("keys: " + K);
        assertThat(checked(changed("b", "own"))).containsExactly("b");
    }

    @Test
    void aRevokedKeyIsFree() {
        known("a", "-k");
        assertThat(checked(changed("b", "k"))).containsExactly("b");
        known("b", "k");
        assertThat(checked(changed("a", "k")))
                .as("it is not taken back then")
                .singleElement()
                .asString()
                .contains("b already");
        assertThat(checked(changed("a", "-k"))).containsExactly("a");
    }

    @Test
    void aKeyMovesInAnyOrder() {
        known("a", "k");
        known("b");
        assertThat(checked(changed("a"), changed("b", "k"))).containsExactly("a", "b");
        assertThat(checked(changed("b", "k"), changed("a"))).containsExactly("b", "a");
        assertThat(checked(changed("b", "k"), new AccountDecision.Refused(ProblemCode.CHANGE_REFUSED, "no")))
                .containsExactly("keys: " + K + " is a key of account a already; revoke it there first.", "no");
    }

    @Test
    void aMoveWhoseFirstHalfIsRefusedIsRefused() {
        known("a", "k");
        known("b", "l");
        known("c", "m");
        assertThat(checked(changed("b", "k"), changed("a", "m"), changed("c", "m", "x")))
                .as("a cannot have m, so it keeps k")
                .satisfiesExactly(
                        b -> assertThat(b).startsWith("keys: " + K),
                        a -> assertThat(a).startsWith("keys: "),
                        c -> assertThat(c).isEqualTo("c"));
    }

    @Test
    void accountsThatShareAKeySinceAnEarlierBuildCanChange() {
        known("a", "k");
        known("b", "k");
        assertThat(checked(changed("b", "k", "l"))).containsExactly("b");
    }

    private List<String> checked(AccountDecision... decisions) {
        return new DuplicateKeyCheck(id -> Optional.ofNullable(known.get(id)), known::values)
                .checked(Arrays.asList(decisions)).stream()
                        .map(decision -> switch (decision) {
                            case AccountDecision.Changed(AccountRecord after, var action, var commands, var credits) ->
                                after.accountId();
                            case AccountDecision.Refused(var _, String sentence) -> sentence;
                            case AccountDecision.Unchanged u -> "unchanged";
                        })
                        .toList();
    }

    private void known(String id, String... keys) {
        known.put(id, account(id, keys));
    }

    private static AccountDecision changed(String id, String... keys) {
        return new AccountDecision.Changed(account(id, keys), AccountAudit.Action.DECLARED, List.of(), List.of());
    }

    private static AccountRecord account(String id, String... keys) {
        List<AccountRecord.Key> all = Arrays.stream(keys)
                .map(text -> {
                    String hash = Hashes.sha256(text.replace("-", ""));
                    return new AccountRecord.Key(
                            AccountRecord.Key.idOf(hash),
                            AccountRecord.KeyKind.BATCH,
                            hash,
                            null,
                            null,
                            true,
                            NOW,
                            text.startsWith("-") ? NOW : null,
                            null,
                            null);
                })
                .toList();
        AccountRecordEditor draft = AccountRecordEditor.ofNew(id, NOW);
        draft.name = id;
        draft.keys = all;
        return draft.next(NOW);
    }
}
