package millrace.processor.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SolitudeTest {
    private final Solitude solitude = new Solitude();

    @Test
    void aSuspectRunsAloneAndKeepsOthersFromOvertakingIt() {
        assertThat(solitude.enter()).isTrue();
        assertThat(solitude.enter()).isTrue();
        assertThat(solitude.enterAlone("s")).isFalse();
        assertThat(solitude.enter()).isFalse();
        solitude.leave();
        assertThat(solitude.enterAlone("s")).isFalse();
        solitude.leave();
        assertThat(solitude.enterAlone("s")).isTrue();
        assertThat(solitude.enter()).isFalse();
        assertThat(solitude.enterAlone("t")).isFalse();
        solitude.leave();
        assertThat(solitude.enter()).isFalse();
        assertThat(solitude.enterAlone("t")).isTrue();
        solitude.leave();
        assertThat(solitude.enter()).isTrue();
    }

    @Test
    void aSuspectThatIsWithdrawnHoldsNobodyUp() {
        assertThat(solitude.enter()).isTrue();
        assertThat(solitude.enterAlone("s")).isFalse();
        solitude.withdraw("s");
        assertThat(solitude.enter()).isTrue();
    }
}
