package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.contracts.Dialect;
import millrace.contracts.Hashes;
import millrace.runtime.Account;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {
    private static final Account ACME = new Account(
            "acme",
            "Acme",
            List.of(
                    new Account.Key(Account.Kind.BATCH, Hashes.sha256("one"), null, null),
                    new Account.Key(Account.Kind.REST, Hashes.sha256("two"), Dialect.ORIGINAL, true),
                    new Account.Key(Account.Kind.BATCH, Hashes.sha256("off"), null, false)),
            0,
            Map.of(),
            null,
            List.of());
    private final ApiKeys keys = new ApiKeys(List.of(ACME));

    @Test
    void findsUsableKeysWithTheirKindAndDialect() {
        assertThat(keys.caller("one")).contains(new Caller(ACME, Account.Kind.BATCH, Dialect.V3));
        assertThat(keys.caller("two")).contains(new Caller(ACME, Account.Kind.REST, Dialect.ORIGINAL));
    }

    @Test
    void doesNotTellMissingUnknownAndSwitchedOffApart() {
        assertThat(keys.caller(null)).isEmpty();
        assertThat(keys.caller("")).isEmpty();
        assertThat(keys.caller("three")).isEmpty();
        assertThat(keys.caller("off")).isEmpty();
        assertThat(keys.caller(Hashes.sha256("one"))).isEmpty();
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

    private static Account account(String id, boolean has) {
        List<Account.Key> keys =
                has ? List.of(new Account.Key(Account.Kind.BATCH, Hashes.sha256("moved"), null, null)) : List.of();
        return new Account(id, id, keys, 0, Map.of(), null, List.of());
    }
}
