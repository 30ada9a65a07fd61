package millrace.processor.ledger.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;

/** Whoever changes the number of partitions knows what the ledger's store has. */
class StoreKeysTest {
    @Test
    void eachKindIsKnown() throws IllegalAccessException {
        List<String> kinds = kinds();
        assertThat(kinds).contains(LedgerStores.REPORTS, LedgerStores.FORM, LedgerStores.VERSIONS);
        for (String kind : kinds) {
            assertThatCode(() -> StoreKeys.account(kind + "/0001764000000000/acme"))
                    .as(kind)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void theChangelogIsThatOfTheStore() {
        assertThat(Topics.LEDGER_CHANGELOG)
                .isEqualTo(ConsumerGroups.PROCESSOR + "-" + LedgerStores.STORE + "-changelog");
    }

    private static List<String> kinds() throws IllegalAccessException {
        List<String> kinds = new ArrayList<>();
        for (var field : LedgerStores.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                kinds.add((String) field.get(null));
            }
        }
        kinds.remove(LedgerStores.STORE);
        return kinds;
    }
}
