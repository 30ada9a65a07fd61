package millrace.processor.repartition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    private static final int PARTITIONS = 16;
    private static final String ENDPOINT = "acme|https://example.org:443";

    @ParameterizedTest
    @CsvSource({
        "accounts/acme, acme",
        "reports/acme/5f9c, acme",
        "requests/acme/5f9c, acme",
        "slice-answers/acme/5f9c/1/0, acme",
        "tickets/acme/small/7, acme",
        "grants/acme/monthly/2026-11, acme",
        "idempotency/acme/a0b1, acme",
        "agenda/0001764000000000/acme, acme",
        "agenda/0001764000000000/acme/5f9c, acme",
        "file-agenda/0001764000000000/acme/5f9c, acme",
    })
    void stateOfTheLedgerIsWithItsAccount(String key, String account) {
        assertThat(Placement.in(Topics.LEDGER_CHANGELOG).of(key, PARTITIONS))
                .hasValue(Topic.partition(account, PARTITIONS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "form/ledger",
                "data-versions/keywords/2026-11-01",
                "ended/7",
                "ended-agenda/0001764000000000/7",
                "ended-size/ledger",
            })
    void stateOfAPartitionIsWithNoAccount(String key) {
        assertThat(Placement.in(Topics.LEDGER_CHANGELOG).of(key, PARTITIONS)).isEqualTo(OptionalInt.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"claims/acme/1", "agenda/0001764000000000", "acme"})
    void whatIsUnknownIsRefused(String key) {
        assertThatThrownBy(() -> Placement.in(Topics.LEDGER_CHANGELOG).of(key, PARTITIONS))
                .hasMessageContaining("unknown kind: " + key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hook|1", "/hook"})
    void statesOfDeliveriesAreWithTheirEndpoint(String path) {
        Placement placement = Placement.in(Topics.DELIVERY_STATE.name());
        OptionalInt expected = OptionalInt.of(Topic.partition(ENDPOINT, PARTITIONS));
        assertThat(placement.of(DeliveryState.Waiting.key(ENDPOINT, "5f9c.1"), PARTITIONS))
                .isEqualTo(expected);
        assertThat(placement.of(DeliveryState.Behind.key(ENDPOINT), PARTITIONS)).isEqualTo(expected);
        assertThat(placement.of(DeliveryState.Gone.key(ENDPOINT, "https://example.org" + path), PARTITIONS))
                .isEqualTo(expected);
        assertThatThrownBy(() -> placement.of("acme|x", PARTITIONS)).hasMessageContaining("no endpoint");
    }

    @Test
    void otherRecordsAreWithTheirKey() {
        assertThat(Placement.in(Topics.REPORT_STATUS.name()).of("acme/5f9c", PARTITIONS))
                .hasValue(Topic.partition("acme/5f9c", PARTITIONS));
    }
}
