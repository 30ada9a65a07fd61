package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReportWatchesTest {
    private final ReportWatches watches = new ReportWatches();
    private final List<Boolean> asked = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** What wakes a thread that waits may have been about any report. */
    @Test
    void asksAtFirstAndAfterEachChangeOfItsReport() throws InterruptedException {
        boolean ended = watches.await(SampleRecords.id(1), this::hasEnded, condition -> {
            assertThat(condition.getAsBoolean()).isFalse();
            watches.changed(SampleRecords.id(2));
            assertThat(condition.getAsBoolean()).isFalse();
            assertThat(asked).as("at first").hasSize(1);
            watches.changed(SampleRecords.id(1));
            assertThat(condition.getAsBoolean()).isFalse();
            assertThat(asked).as("after a change").hasSize(2);
            this.ended.set(true);
            assertThat(condition.getAsBoolean()).as("without a change").isFalse();
            watches.changed(SampleRecords.id(1));
            return condition.getAsBoolean();
        });
        assertThat(ended).isTrue();
        assertThat(asked).hasSize(3);
    }

    private boolean hasEnded() {
        asked.add(ended.get());
        return ended.get();
    }
}
