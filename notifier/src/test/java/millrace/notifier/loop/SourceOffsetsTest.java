package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceOffsetsTest {
    private static final long START = 1_000_000_000_000L;

    @Test
    void commitsUpToTheFirstOpenOffset() {
        SourceOffsets offsets = SourceOffsets.resume(START, "");
        assertThat(offsets.committed()).isEqualTo(START);
        offsets.take(START);
        offsets.take(START + 1);
        offsets.release(START + 1);
        assertThat(offsets.committed()).isEqualTo(START);
        offsets.release(START);
        assertThat(offsets.committed()).isEqualTo(START + 2);
        assertThat(offsets.metadata()).isEmpty();
        offsets.advance(START + 4);
        assertThat(offsets.committed()).isEqualTo(START + 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", ":", "5", "x:AA==", "5:%%", "-1:"})
    void otherMetadataIsAsNone(String metadata) {
        assertThat(SourceOffsets.resume(START, metadata).take(START)).isTrue();
    }

    @Test
    void metadataThatWouldBeTooLongIsLeftOut() {
        SourceOffsets offsets = SourceOffsets.resume(START, "");
        for (int i = 0; i < 100_000; i++) {
            offsets.take(START + i);
            if (i > 0 && i < 99_999) {
                offsets.release(START + i);
            }
        }
        assertThat(offsets.metadata()).isEmpty();
        assertThat(offsets.committed()).isEqualTo(START);
    }

    /** Each list is one owner, which takes and releases offsets. The next owner gets none that was released. */
    @Property
    void whoeverTakesOverGetsExactlyWhatWasOpen(
            @ForAll @Size(min = 1, max = 4) List<@Size(max = 30) List<@IntRange(max = 40) Integer>> lives,
            @ForAll @IntRange(max = 40) int read) {
        Set<Long> released = new TreeSet<>();
        SourceOffsets offsets = SourceOffsets.resume(START, "");
        for (List<Integer> releases : lives) {
            long from = offsets.committed();
            Set<Long> taken = LongStream.range(from, from + read)
                    .filter(offsets::take)
                    .boxed()
                    .collect(Collectors.toSet());
            assertThat(taken).noneMatch(released::contains);
            assertThat(offsets.open()).isEqualTo(taken.size());
            for (int index : releases) {
                if (taken.contains(START + index)) {
                    offsets.release(START + index);
                    released.add(START + index);
                }
            }
            offsets = SourceOffsets.resume(offsets.committed(), offsets.metadata());
        }
        long committed = offsets.committed();
        assertThat(LongStream.range(START, committed).boxed()).allMatch(released::contains);
    }
}
