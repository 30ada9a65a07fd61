package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.contracts.Dialect;
import millrace.contracts.Hashes;
import millrace.runtime.Account;
import org.junit.jupiter.api.Test;

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
}
