package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTasksTest {
    @Test
    void theOffsetFollowsTheFinishedPrefix() {
        var tasks = new PartitionTasks(10, "");
        tasks.received(10);
        tasks.received(11);
        tasks.received(14);
        assertThat(tasks.position()).isEqualTo(10);
        tasks.finished(11);
        assertThat(tasks.position()).isEqualTo(10);
        tasks.finished(10);
        assertThat(tasks.position()).isEqualTo(14);
        tasks.finished(14);
        assertThat(tasks.position()).isEqualTo(15);
        assertThat(tasks.metadata()).isEmpty();
    }

    @Test
    void startsOutliveTheWorker() {
        var first = new PartitionTasks(100, "");
        for (long offset = 100; offset < 103; offset++) {
            first.received(offset);
        }
        first.starting(100);
        first.starting(102);
        first.finished(100);
        assertThat(first.position()).isEqualTo(101);
        assertThat(first.metadata()).isEqualTo("1:1");

        var second = new PartitionTasks(first.position(), first.metadata());
        second.received(101);
        second.received(102);
        assertThat(second.starts(101)).isZero();
        assertThat(second.starts(102)).isEqualTo(1);
        second.starting(102);
        assertThat(second.metadata()).isEqualTo("1:2");
    }

    @Test
    void startsOfTasksThatWereNotReadYetAreKept() {
        var tasks = new PartitionTasks(5, "0:1,40:2");
        tasks.received(5);
        assertThat(tasks.starts(5)).isEqualTo(1);
        assertThat(tasks.metadata()).isEqualTo("0:1,40:2");
        tasks.finished(5);
        assertThat(tasks.position()).isEqualTo(6);
        assertThat(tasks.metadata()).isEqualTo("3z:2");
    }

    @Test
    void whatWasCutShortDoesNotCount() {
        var tasks = new PartitionTasks(0, "0:1");
        tasks.received(0);
        tasks.starting(0);
        tasks.interrupted(0);
        tasks.interrupted(0);
        assertThat(tasks.starts(0)).isEqualTo(1);
        tasks.interrupted(99);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", "1:", ":1", "1:1,", "-1:1", "1:1;2:2", "zzzzzzzzzzzzz:1", "1:9999"})
    void foreignMetadataSaysNothing(String metadata) {
        assertThat(new PartitionTasks(3, metadata).metadata()).isEmpty();
    }

    /** No task is skipped and no start is forgotten, in any order of ends and replacements of workers. */
    @Property
    void noTaskIsLostAndEveryStartIsRemembered(@ForAll long seed) {
        var random = new Random(seed);
        int count = 20;
        int[] starts = new int[count];
        boolean[] done = new boolean[count];
        var tasks = new PartitionTasks(0, "");
        List<Integer> open = new ArrayList<>();
        int next = 0;
        for (int step = 0; step < 200; step++) {
            int action = random.nextInt(4);
            if (action == 0 && next < count) {
                tasks.received(next);
                open.add(next++);
            } else if (action == 1 && !open.isEmpty()) {
                int offset = open.get(random.nextInt(open.size()));
                assertThat(tasks.starts(offset)).isEqualTo(starts[offset]);
                tasks.starting(offset);
                starts[offset]++;
            } else if (action == 2 && !open.isEmpty()) {
                int offset = open.remove(random.nextInt(open.size()));
                tasks.finished(offset);
                done[offset] = true;
            } else if (action == 3 && random.nextInt(5) == 0) {
                int position = Math.toIntExact(tasks.position());
                for (int i = 0; i < position; i++) {
                    assertThat(done[i]).isTrue();
                }
                // Tasks after the position run again, also finished ones, whose starts were forgotten when they
                // ended.
                for (int i = position; i < next; i++) {
                    starts[i] = done[i] ? 0 : starts[i];
                    done[i] = false;
                }
                tasks = new PartitionTasks(position, tasks.metadata());
                open.clear();
                next = position;
            }
        }
    }
}
