package millrace.catalog.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexMergeSortTest {
    private static final int BLOCK = IntBlocks.BLOCK;

    /** Sizes at the borders of blocks, and of runs of blocks. */
    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 2, 3, 1_000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 1, 3 * BLOCK, 4 * BLOCK + 7, 9 * BLOCK})
    void sortsAnyNumberOfThem(int count) {
        var random = new Random(count);
        int[] shuffled =
                IntStream.generate(() -> random.nextInt(count + 1)).limit(count).toArray();
        int[] backwards = IntStream.range(0, count).map(i -> count - i).toArray();
        int[] almost = IntStream.range(0, count).toArray();
        if (count > 1) {
            almost[count - 1] = -1;
        }
        for (int[] numbers : new int[][] {shuffled, backwards, almost}) {
            int[] expected = numbers.clone();
            Arrays.sort(expected);
            assertThat(sorted(numbers, Integer::compare)).isEqualTo(expected);
        }
    }

    /** What lies behind the count is of no account. */
    @ParameterizedTest
    @ValueSource(ints = {5, BLOCK + 5})
    void leavesOutWhatFollows(int count) {
        IntBlocks numbers = blocks(IntStream.range(0, count + 10).map(i -> -i).toArray());
        IntBlocks sorted = IndexMergeSort.sorted(numbers, count, Integer::compare);
        assertThat(IntStream.range(0, count).map(sorted::get))
                .containsExactly(IntStream.rangeClosed(1 - count, 0).boxed().toArray(Integer[]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 3 * BLOCK + 1})
    void comparesWhatIsInOrderOnce(int count) {
        var comparisons = new AtomicInteger();
        int[] numbers = IntStream.range(0, count).toArray();
        assertThat(sorted(numbers, (a, b) -> {
                    comparisons.incrementAndGet();
                    return Integer.compare(a, b);
                }))
                .isEqualTo(numbers);
        assertThat(comparisons).hasValue(count - 1);
    }

    private static int[] sorted(int[] numbers, IndexMergeSort.Order order) {
        IntBlocks sorted = IndexMergeSort.sorted(blocks(numbers), numbers.length, order);
        return IntStream.range(0, numbers.length).map(sorted::get).toArray();
    }

    private static IntBlocks blocks(int[] numbers) {
        var blocks = new IntBlocks();
        for (int i = 0; i < numbers.length; i++) {
            blocks.set(i, numbers[i]);
        }
        return blocks;
    }
}
