package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BodyMemoryTest {
    private static final int MB = 1 << 20;
    /** Without entities a body takes what it has, and a little that is taken ahead. */
    private final BodyMemory memory = new BodyMemory(100 * MB, 40 * MB, 0, Duration.ZERO);

    @Test
    void anAccountHasHalfOfIt() throws IOException {
        var first = memory.share("a");
        assertThat(first.holds(40 * MB)).isTrue();
        assertThat(memory.share("a").holds(9 * MB)).isTrue();
        assertThat(memory.share("a").holds(MB)).isFalse();
        assertThat(memory.share("b").holds(40 * MB)).isTrue();
        first.close();
        assertThat(memory.share("a").holds(MB)).isTrue();
    }

    @Test
    void allHaveNoMoreThanThereIs() throws IOException {
        assertThat(memory.share("a").holds(40 * MB)).isTrue();
        assertThat(memory.share("b").holds(40 * MB)).isTrue();
        assertThat(memory.share("c").holds(40 * MB)).isFalse();
        assertThat(memory.share("c").holds(19 * MB)).isTrue();
        assertThat(memory.share("d").holds(MB)).isFalse();
    }

    @Test
    void smallBodiesAreAlwaysRead() throws IOException {
        assertThat(memory.share("a").holds(40 * MB)).isTrue();
        assertThat(memory.share("b").holds(40 * MB)).isTrue();
        assertThat(memory.share("c").holds(19 * MB)).isTrue();
        List<BodyMemory.Share> small = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            small.add(memory.share("c"));
            assertThat(small.getLast().holds(BodyMemory.FREE)).isTrue();
        }
    }

    @Test
    void takesMemoryOnlyForWhatHasCome() throws IOException {
        for (int i = 0; i < 500; i++) {
            assertThat(memory.share("slow").holds(20 << 10)).as("body %d", i).isTrue();
        }
    }

    @Test
    void aListTakesMoreThanItsBytes() throws IOException {
        var lists = new BodyMemory(100 * MB, 10 * MB, MB, Duration.ZERO);
        assertThat(lists.share("a").holds(10 * MB)).isTrue(); // 30 MB
        assertThat(lists.share("a").holds(7 * MB)).isFalse();
    }

    @Test
    void oneBodyIsReadHoweverLittleMemoryThereIs() throws IOException {
        assertThat(new BodyMemory(MB, 40 * MB, MB, Duration.ZERO).share("a").holds(40 * MB))
                .isTrue();
    }

    @Test
    void waitsForOthersToEnd() throws IOException {
        var longTimeout = new BodyMemory(100 * MB, 40 * MB, 0, Duration.ofMinutes(1));
        var first = longTimeout.share("a");
        assertThat(first.holds(40 * MB)).isTrue();
        var second = CompletableFuture.supplyAsync(() -> {
            try {
                return longTimeout.share("a").holds(40 * MB);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(second).isNotDone();
        first.close();
        assertThat(second.join()).isTrue();
    }
}
