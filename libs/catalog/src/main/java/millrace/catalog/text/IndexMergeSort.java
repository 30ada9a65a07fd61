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
     * Returns the first {@code count} numbers in order, in this array or in another one of its
     * length.
     */
    static int[] sorted(int[] numbers, int count, Order order) {
        int[] from = numbers;
        int[] to = new int[numbers.length];
        for (long run = 1; run < count; run *= 2) {
            for (long start = 0; start < count; start += 2 * run) {
                int middle = (int) Math.min(count, start + run);
                int end = (int) Math.min(count, start + 2 * run);
                merge(from, to, (int) start, middle, end, order);
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    /** Merges the runs from {@code start} to {@code middle} and from there to {@code end}. */
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
