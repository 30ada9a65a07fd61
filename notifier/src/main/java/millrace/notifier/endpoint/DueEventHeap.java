package millrace.notifier.endpoint;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of waiting events, ordered by the time at which they are due. Each event knows its index, so that any
 * event can be removed in logarithmic time.
 */
final class DueEventHeap {
    private static final int SMALLEST = 2;

    private @Nullable HeldEvent[] heap = new HeldEvent[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    HeldEvent peek() {
        return heap[0];
    }

    void add(HeldEvent event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size + (size >> 1) + 1);
        }
        up(size++, event);
    }

    /** Returns false if the event is not in the heap. */
    boolean remove(HeldEvent event) {
        int at = event.heapIndex;
        if (at < 0 || at >= size || heap[at] != event) {
            return false;
        }
        event.heapIndex = HeldEvent.NOT_IN_HEAP;
        HeldEvent last = heap[--size];
        heap[size] = null;
        if (last != null && last != event) {
            HeldEvent parent = at == 0 ? null : heap[(at - 1) / 2];
            if (parent != null && last.isBefore(parent)) {
                up(at, last);
            } else {
                down(at, last);
            }
        }
        if (heap.length > 16 && size * 4 < heap.length) {
            heap = Arrays.copyOf(heap, heap.length / 2);
        }
        return true;
    }

    void forEach(Consumer<HeldEvent> action) {
        for (int i = 0; i < size; i++) {
            HeldEvent event = heap[i];
            if (event != null) {
                action.accept(event);
            }
        }
    }

    private void up(int start, HeldEvent event) {
        int at = start;
        while (at > 0) {
            HeldEvent parent = heap[(at - 1) / 2];
            if (parent == null || !event.isBefore(parent)) {
                break;
            }
            set(at, parent);
            at = (at - 1) / 2;
        }
        set(at, event);
    }

    private void down(int start, HeldEvent event) {
        int at = start;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            HeldEvent left = heap[child];
            HeldEvent right = child + 1 < size ? heap[child + 1] : null;
            HeldEvent least = left;
            if (left != null && right != null && right.isBefore(left)) {
                least = right;
                child++;
            }
            if (least == null || !least.isBefore(event)) {
                break;
            }
            set(at, least);
            at = child;
        }
        set(at, event);
    }

    private void set(int at, HeldEvent event) {
        heap[at] = event;
        event.heapIndex = at;
    }
}
