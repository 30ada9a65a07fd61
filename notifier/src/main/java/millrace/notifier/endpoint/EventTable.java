package millrace.notifier.endpoint;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash set of events with open addressing. It takes about 8 bytes an event, because millions may wait. {@link
 * Sameness} says which events are equal.
 */
final class EventTable {
    /** Decides which events are equal. */
    interface Sameness {
        int hash(HeldEvent event);

        boolean same(HeldEvent one, HeldEvent other);
    }

    /** Events with the same id are equal. */
    static final Sameness BY_ID = new Sameness() {
        @Override
        public int hash(HeldEvent event) {
            return event.idHash();
        }

        @Override
        public boolean same(HeldEvent one, HeldEvent other) {
            return one.sameId(other);
        }
    };

    /** Events of the same report are equal. */
    static final Sameness BY_REPORT = new Sameness() {
        @Override
        public int hash(HeldEvent event) {
            return event.reportHash();
        }

        @Override
        public boolean same(HeldEvent one, HeldEvent other) {
            return one.sameReport(other);
        }
    };

    private static final int SMALLEST = 4;

    private final Sameness sameness;
    private @Nullable HeldEvent[] slots = new HeldEvent[SMALLEST];
    private int size;

    EventTable(Sameness sameness) {
        this.sameness = sameness;
    }

    int size() {
        return size;
    }

    @Nullable
    HeldEvent find(HeldEvent like) {
        return slots[slot(like)];
    }

    /** Adds the event in place of an equal one, which is returned; null if there was none. */
    @Nullable
    HeldEvent put(HeldEvent event) {
        int slot = slot(event);
        HeldEvent former = slots[slot];
        slots[slot] = event;
        if (former == null && ++size * 3 > slots.length * 2) {
            resize(slots.length * 2);
        }
        return former;
    }

    @Nullable
    HeldEvent remove(HeldEvent like) {
        int hole = slot(like);
        HeldEvent removed = slots[hole];
        if (removed == null) {
            return null;
        }
        size--;
        close(hole);
        if (slots.length > SMALLEST && size * 6 < slots.length) {
            resize(slots.length / 2);
        }
        return removed;
    }

    void forEach(Consumer<HeldEvent> action) {
        for (HeldEvent event : slots) {
            if (event != null) {
                action.accept(event);
            }
        }
    }

    /** Moves entries behind the removed one up, so that a search does not end at the hole. */
    private void close(int hole) {
        int mask = slots.length - 1;
        int empty = hole;
        for (int at = (hole + 1) & mask; ; at = (at + 1) & mask) {
            HeldEvent event = slots[at];
            if (event == null) {
                slots[empty] = null;
                return;
            }
            int home = home(event);
            if (((at - home) & mask) >= ((at - empty) & mask)) {
                slots[empty] = event;
                empty = at;
            }
        }
    }

    private void resize(int length) {
        @Nullable HeldEvent[] former = slots;
        slots = new HeldEvent[length];
        for (HeldEvent event : former) {
            if (event != null) {
                slots[slot(event)] = event;
            }
        }
    }

    private int slot(HeldEvent like) {
        int mask = slots.length - 1;
        int at = home(like);
        for (HeldEvent event = slots[at]; event != null && !sameness.same(event, like); event = slots[at]) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private int home(HeldEvent event) {
        int hash = sameness.hash(event) * 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }
}
