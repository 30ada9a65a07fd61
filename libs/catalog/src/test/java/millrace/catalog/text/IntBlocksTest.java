package millrace.catalog.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntBlocksTest {
    /** G1 takes an array for humongous that has half a region, and regions have 1 MiB at least. */
    private static final int HUMONGOUS = 512 << 10;

    @Test
    void holdsAMillionWithoutALargeArray() {
        var ints = new IntBlocks();
        for (int i = 0; i < 1_000_000; i++) {
            ints.set(i, -i);
        }
        assertThat(IntStream.range(0, 1_000_000).allMatch(i -> ints.get(i) == -i))
                .isTrue();
        for (int block = 0; block * (long) IntBlocks.BLOCK < 1_000_000; block++) {
            assertThat(ints.block(block).length * Integer.BYTES).isLessThan(HUMONGOUS / 4);
        }
    }

    @Test
    void aFewTakeLittle() {
        var ints = new IntBlocks();
        ints.set(0, 7);
        assertThat(ints.block(0)).hasSizeLessThanOrEqualTo(16);
        for (int i = 1; i < 100; i++) {
            ints.set(i, i);
        }
        assertThat(ints.block(0)).hasSizeLessThan(200);
        ints.set(0, 8);
        assertThat(ints.get(0)).isEqualTo(8);
        assertThat(ints.get(99)).isEqualTo(99);
    }
}
