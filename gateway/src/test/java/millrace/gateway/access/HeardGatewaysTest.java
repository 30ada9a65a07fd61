package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeardGatewaysTest {
    private static final long SECOND = 1_000_000_000L;

    private final HeardGateways gateways = new HeardGateways("self");

    @Test
    void forgetsThoseThatAreSilent() {
        assertThat(gateways.size(0)).isEqualTo(1);
        assertThat(gateways.heard("one", 0)).isTrue();
        assertThat(gateways.heard("two", 5 * SECOND)).isTrue();
        assertThat(gateways.heard("self", 5 * SECOND)).isFalse();
        assertThat(gateways.size(15 * SECOND)).isEqualTo(3);
        assertThat(gateways.size(16 * SECOND)).isEqualTo(2);
        assertThat(gateways.size(21 * SECOND)).isEqualTo(1);
    }

    @Test
    void hearsNobodyWhereItDoesNotHearItself() {
        gateways.heard("one", 0);
        gateways.wrote(0);
        assertThat(gateways.heard("self", SECOND)).isFalse();
        assertThat(gateways.cutOff(60 * SECOND)).isFalse();
        gateways.heard("one", 60 * SECOND);
        gateways.wrote(61 * SECOND);
        gateways.wrote(65 * SECOND);
        assertThat(gateways.cutOff(66 * SECOND)).isFalse();
        assertThat(gateways.cutOff(67 * SECOND))
                .as("the first that did not come back")
                .isTrue();
        assertThat(gateways.size(1000 * SECOND)).as("as many as there were").isEqualTo(2);
        gateways.heard("self", 1001 * SECOND);
        assertThat(gateways.cutOff(1001 * SECOND)).isFalse();
        assertThat(gateways.size(1001 * SECOND)).isEqualTo(1);
    }
}
