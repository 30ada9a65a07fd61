package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** {@link EventTable} and {@link DueEventHeap} behave as the collections of the JDK do. */
class EventTableTest {
    @Property(tries = 200)
    void isAMap(@ForAll long seed) {
        var random = new Random(seed);
        var table = new EventTable(EventTable.BY_ID);
        Map<String, HeldEvent> map = new HashMap<>();
        for (int step = 0; step < 500; step++) {
            HeldEvent event = event(random.nextInt(40), random.nextInt(3), 0);
            if (random.nextInt(5) < 2) {
                assertThat(table.remove(event)).isSameAs(map.remove(event.id()));
            } else {
                assertThat(table.put(event)).isSameAs(map.put(event.id(), event));
            }
            assertThat(table.size()).isEqualTo(map.size());
        }
        map.values().forEach(event -> assertThat(table.find(event)).isSameAs(event));
        List<HeldEvent> all = new ArrayList<>();
        table.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(map.values());
    }

    @Property(tries = 200)
    void theHeapGivesTheFirstDueAndLosesNone(@ForAll long seed) {
        var random = new Random(seed);
        var heap = new DueEventHeap();
        List<HeldEvent> list = new ArrayList<>();
        for (int step = 0; step < 500; step++) {
            if (random.nextInt(5) < 2 && !list.isEmpty()) {
                HeldEvent event = list.remove(random.nextInt(list.size()));
                assertThat(heap.remove(event)).isTrue();
                assertThat(heap.remove(event)).isFalse();
            } else {
                HeldEvent event = event(step, 1, random.nextInt(50));
                event.queuedAs(step);
                heap.add(event);
                list.add(event);
            }
            assertThat(heap.size()).isEqualTo(list.size());
            assertThat(heap.peek()).isSameAs(first(list));
        }
    }

    private static @Nullable HeldEvent first(List<HeldEvent> list) {
        HeldEvent first = null;
        for (HeldEvent event : list) {
            first = first == null || event.isBefore(first) ? event : first;
        }
        return first;
    }

    private static HeldEvent event(int report, int sequence, long due) {
        var id = new UUID(7, report);
        return HeldEvent.takenOver(new HeldEvent.Id(id + "." + sequence, id, sequence), "u", 0, 1, -1, due, 1);
    }
}
