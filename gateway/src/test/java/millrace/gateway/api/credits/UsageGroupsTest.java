package millrace.gateway.api.credits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;
import millrace.gateway.copy.activity.KeptDays;
import millrace.gateway.copy.activity.StoredTagUsage;
import millrace.gateway.copy.activity.UsedCredits;
import millrace.gateway.server.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageGroupsTest {
    private static final String TAG = "tag:" + StoredTagUsage.TAG;

    @TempDir
    private Path folder;

    @Test
    void anAnswerHasAtMostTenThousandRows() {
        try (var stored = new StoredTagUsage(folder, 11, 1000)) {
            UsageGroups.Answer most = answer(stored, 10, "day", TAG);
            assertThat(most.usage()).hasSize(UsageGroups.MOST_ROWS);
            assertThat(most.total()).isEqualTo(new UsedCredits(20_000, 10_000));
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> answer(stored, 11, "day", TAG))
                    .satisfies(e -> assertThat(e.response().code()).isEqualTo(400));
            assertThat(answer(stored, 11, "month", TAG).usage())
                    .hasSize(1000)
                    .allSatisfy(row -> assertThat(row.reports()).isEqualTo(11));
        }
    }

    /** Not only the answer: what is summed is bounded, too. */
    @Test
    void tooManyRowsAreNotReadToTheirEnd() {
        try (var stored = new StoredTagUsage(folder, 2, 200_000)) {
            long before = allocated();
            assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> answer(stored, 2, "day", TAG));
            assertThat(allocated() - before).isLessThan(40L << 20);
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static UsageGroups.Answer answer(StoredTagUsage stored, int days, String... by) {
        var range = new DayRange(KeptDays.date(StoredTagUsage.TODAY - days + 1), KeptDays.date(StoredTagUsage.TODAY));
        return new UsageGroups(Set.of(by), StoredTagUsage.TAG).answer(range, stored.queries(), StoredTagUsage.ACCOUNT);
    }
}
