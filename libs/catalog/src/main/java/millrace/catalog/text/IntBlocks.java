package millrace.catalog.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A list of ints in blocks of at most 64 KiB. G1 keeps an array of half a region or more, which is
 * 512 KiB in a heap of 1 GiB, apart from all others until the heap is marked: a few hundred of them
 * make it mark the heap.
 */
final class IntBlocks {
    /** Ints of a block. */
    static final int BLOCK = 1 << 14;

    private static final int BITS = 14;
    /** Size of the first block before it grows; most requests have few texts. */
    private static final int FIRST = 16;

    private final List<int[]> blocks = new ArrayList<>(1);

    int get(int index) {
        return blocks.get(index >>> BITS)[index & (BLOCK - 1)];
    }

    /** Sets an int, or adds one after the last. */
    void set(int index, int number) {
        int block = index >>> BITS;
        int place = index & (BLOCK - 1);
        if (block == blocks.size()) {
            blocks.add(new int[block == 0 ? FIRST : BLOCK]);
        }
        int[] numbers = blocks.get(block);
        if (place == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * place);
            blocks.set(block, numbers);
        }
        numbers[place] = number;
    }

    /** The ints from {@code number * BLOCK}; the last block may have fewer than {@link #BLOCK}. */
    int[] block(int number) {
        return blocks.get(number);
    }
}
