package millrace.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.simulation.kernel.ForkedJvm;
import org.junit.jupiter.api.Test;

class DeterminismTest {
    @Test
    void oneSeedHasOneTraceInTwoJvms() throws Exception {
        assertThat(ExactlyOnceCopyRun.hashOf(11))
                .isEqualTo(ExactlyOnceCopyRun.hashOf(11))
                .isNotEqualTo(ExactlyOnceCopyRun.hashOf(12));
        assertThat(ForkedJvm.output(ExactlyOnceCopyRun.class, "11"))
                .isEqualTo(Long.toString(ExactlyOnceCopyRun.hashOf(11)));
    }

    @Test
    void manySeedsCopyEachRecordOnce() {
        for (int seed = 0; seed < 50; seed++) {
            ExactlyOnceCopyRun.hashOf(seed);
        }
    }
}
