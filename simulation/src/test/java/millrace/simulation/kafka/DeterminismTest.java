package millrace.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.simulation.kernel.OtherJvm;
import org.junit.jupiter.api.Test;

class DeterminismTest {
    @Test
    void oneSeedHasOneTraceInTwoJvms() throws Exception {
        assertThat(BusyRun.hashOf(11)).isEqualTo(BusyRun.hashOf(11)).isNotEqualTo(BusyRun.hashOf(12));
        assertThat(OtherJvm.output(BusyRun.class, "11")).isEqualTo(Long.toString(BusyRun.hashOf(11)));
    }

    @Test
    void manySeedsCopyEachRecordOnce() {
        for (int seed = 0; seed < 50; seed++) {
            BusyRun.hashOf(seed);
        }
    }
}
