package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspectIsolationTest {
    private final SuspectIsolation isolation = new SuspectIsolation();

    @Test
    void aSuspectRunsAloneAndKeepsOthersFromOvertakingIt() {
        assertThat(isolation.enter("a")).isTrue();
        assertThat(isolation.enter("b")).isTrue();
        assertThat(isolation.enterAlone("s")).isFalse();
        assertThat(isolation.enter("c")).isFalse();
        isolation.leave("a");
        assertThat(isolation.enterAlone("s")).isFalse();
        isolation.leave("b");
        assertThat(isolation.enterAlone("s")).isTrue();
        assertThat(isolation.isolating()).isTrue();
        assertThat(isolation.enter("c")).isFalse();
        assertThat(isolation.enterAlone("t")).isFalse();
        isolation.leave("s");
        assertThat(isolation.isolating()).isFalse();
        assertThat(isolation.enter("c")).isFalse();
        assertThat(isolation.enterAlone("t")).isTrue();
        isolation.leave("t");
        assertThat(isolation.enter("c")).isTrue();
    }

    @Test
    void aSuspectThatIsWithdrawnHoldsNobodyUp() {
        assertThat(isolation.enter("a")).isTrue();
        assertThat(isolation.enterAlone("s")).isFalse();
        isolation.withdraw("s");
        assertThat(isolation.enter("b")).isTrue();
    }

    @Test
    void whoIsOutsideCannotLeave() {
        assertThat(isolation.enterAlone("s")).isTrue();
        isolation.leave("a");
        assertThat(isolation.enter("a")).isFalse();
    }
}
