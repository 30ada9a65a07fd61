package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class DurationsTest {
    @Property(tries = 300)
    void quantilesAreNearlyExact(
            @ForAll @Size(min = 1, max = 50) List<@LongRange(min = 0, max = 4_000_000_000L) Long> millis) {
        Durations all = read(millis.stream().map(Durations::of).reduce(new Durations(), Durations::plus));
        List<Long> sorted = millis.stream().sorted().toList();
        for (int rank = 1; rank <= sorted.size(); rank++) {
            long exact = sorted.get(rank - 1);
            assertThat((double) all.quantile((rank - 0.5) / sorted.size()).orElseThrow())
                    .isBetween(exact * 0.968, exact * 1.032);
        }
    }

    @Test
    void smallOnesAreExact() {
        for (long millis = 0; millis < 32; millis++) {
            assertThat(Durations.of(millis).quantile(0.5)).hasValue(millis);
        }
    }

    @Test
    void takesNoMoreThanItsBound() {
        var all = new Durations();
        for (long millis = 0; millis >= 0; millis += 1 + millis / 100) {
            all = all.plus(Durations.of(millis));
        }
        all = all.plus(Durations.of(Long.MAX_VALUE)).plus(Durations.of(-1));
        assertThat(all.bytes()).isEqualTo(Durations.MOST * 6);
        assertThat((double) read(all).quantile(1).orElseThrow())
                .isCloseTo((double) (1L << 40), Percentage.withPercentage(3.2));
    }

    @Test
    void noneHaveNoQuantile() {
        assertThat(new Durations().quantile(0.5)).isEmpty();
    }

    private static Durations read(Durations written) {
        ByteBuffer bytes = ByteBuffer.allocate(written.bytes());
        written.write(bytes);
        return Durations.read(bytes.flip());
    }
}
