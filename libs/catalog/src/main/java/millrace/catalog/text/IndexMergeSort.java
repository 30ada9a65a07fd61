package millrace.catalog.text;

/**
 * Sorts int indexes by a comparator, without boxing. The JDK sorts only objects by a comparator.
 */
final class IndexMergeSort {
    private IndexMergeSort() {}

    @FunctionalInterface
    interface Order {
        int compare(int a, int b);
    }

    /**
     * Returns the first {@code count} numbers in order, in these blocks or in others. Numbers that
     * are in order already cost one comparison each.
     */
    static IntBlocks sorted(IntBlocks numbers, int count, Order order) {
        if (isSorted(numbers, count, order)) {
            return numbers;
        }
        int[] spare = new int[Math.min(count, IntBlocks.BLOCK)];
        for (int block = 0; block * (long) IntBlocks.BLOCK < count; block++) {
            sort(numbers.block(block), Math.min(count - block * IntBlocks.BLOCK, IntBlocks.BLOCK), spare, order);
        }
        IntBlocks from = numbers;
        for (long run = IntBlocks.BLOCK; run < count; run *= 2) {
            var to = new IntBlocks();
            for (long start = 0; start < count; start += 2 * run) {
                int middle = (int) Math.min(count, start + run);
                int end = (int) Math.min(count, start + 2 * run);
                merge(from, to, (int) start, middle, end, order);
            }
            from = to;
        }
        return from;
    }

    private static boolean isSorted(IntBlocks numbers, int count, Order order) {
        for (int i = 1; i < count; i++) {
            if (order.compare(numbers.get(i - 1), numbers.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Merges the runs from {@code start} to {@code middle} and from there to {@code end}. */
    private static void merge(IntBlocks from, IntBlocks to, int start, int middle, int end, Order order) {
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            boolean fromLeft = left < middle && (right == end || order.compare(from.get(left), from.get(right)) <= 0);
            to.set(at, fromLeft ? from.get(left++) : from.get(right++));
        }
    }

    /** Sorts the first numbers of one block. */
    private static void sort(int[] numbers, int count, int[] spare, Order order) {
        int[] from = numbers;
        int[] to = spare;
        for (int run = 1; run < count; run *= 2) {
            for (int start = 0; start < count; start += 2 * run) {
                int middle = Math.min(count, start + run);
                int end = Math.min(count, start + 2 * run);
                merge(from, to, start, middle, end, order);
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        if (from != numbers) {
            System.arraycopy(from, 0, numbers, 0, count);
        }
    }

    private static void merge(int[] from, int[] to, int start, int middle, int end, Order order) {
        int left = start;
        int right = middle;
        if (right == end || order.compare(from[right - 1], from[right]) <= 0) {
            System.arraycopy(from, left, to, left, end - left);
            return;
        }
        for (int at = left; at < end; at++) {
            boolean fromLeft = left < middle && (right == end || order.compare(from[left], from[right]) <= 0);
            to[at] = fromLeft ? from[left++] : from[right++];
        }
    }
}
