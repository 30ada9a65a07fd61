package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class FairAccountOrderTest {
    private final FairAccountOrder turns = new FairAccountOrder();

    @Test
    void accountsComeInTurnAndKeepTheirOwnOrder() {
        assertThat(order("a1", "a2", "a3", "b1", "a4", "c1", "b2"))
                .containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    @Test
    void whoBeganLongestAgoComesFirst() {
        turns.took("a");
        turns.took("b");
        turns.took("a");
        assertThat(order("a1", "b1", "c1")).containsExactly("c1", "b1", "a1");
    }

    /** The only task of an account is at most second, however many tasks another one has. */
    @Property
    void nobodyWaitsForMoreThanOneOfEachOther(
            @ForAll @Size(max = 50) List<@StringLength(1) @CharRange(from = 'a', to = 'd') String> waiting,
            @ForAll @Size(max = 20) List<@StringLength(1) @CharRange(from = 'a', to = 'd') String> before) {
        var some = new FairAccountOrder();
        before.forEach(some::took);
        List<String> left = new ArrayList<>(waiting);
        left.add("quiet");
        int others = 0;
        for (String next = first(some, left); !next.equals("quiet"); next = first(some, left)) {
            some.took(next);
            left.remove(next);
            others++;
        }
        assertThat(others).isLessThanOrEqualTo(4);
    }

    private static String first(FairAccountOrder turns, List<String> waiting) {
        return turns.order(waiting, task -> task).getFirst();
    }

    private List<String> order(String... tasks) {
        return turns.order(List.of(tasks), task -> task.substring(0, 1));
    }
}
