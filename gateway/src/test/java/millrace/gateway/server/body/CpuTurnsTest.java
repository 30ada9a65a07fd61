package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class CpuTurnsTest {
    private final CpuTurns turns = new CpuTurns(1);
    private final BlockingQueue<String> order = new LinkedBlockingQueue<>();

    /** Bodies of accounts a, b and c in the order in which they come, and in the order of their turns. */
    @ParameterizedTest
    @CsvSource({
        "a1 a2 a3, a1 a2 a3",
        "a1 b1, a1 b1",
        "a1 a2 a3 b1, a1 b1 a2 a3",
        "a1 a2 a3 b1 b2 c1, a1 b1 c1 a2 b2 a3",
        "b1 a1 a2 b2, b1 a1 b2 a2",
    })
    void accountsTakeTurns(String come, String expected) throws Exception {
        var holder = turns.of("x");
        holder.take();
        List<String> bodies = List.of(come.split(" ", -1));
        for (String body : bodies) {
            comes(body);
        }
        holder.giveBack();
        List<String> had = new ArrayList<>();
        for (int i = 0; i < bodies.size(); i++) {
            had.add(next());
        }
        assertThat(String.join(" ", had)).isEqualTo(expected);
        isFree();
    }

    /** As one whose next bytes have come. */
    @Test
    void oneThatTakesAnotherTurnWaitsAsOthersDo() throws Exception {
        var holder = turns.of("a");
        holder.take();
        comes("a2");
        comes("b1");
        holder.giveBack();
        holder.take();
        assertThat(order).containsExactly("a2", "b1");
        holder.giveBack();
        isFree();
    }

    @Test
    void thereAreAsManyAsThereAreCores() throws Exception {
        var two = new CpuTurns(2);
        var first = two.of("a");
        var second = two.of("a");
        var third = two.of("b");
        first.take();
        second.take();
        CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> take(third));
        await().until(() -> two.waiting() == 1);
        assertThat(waits).isNotDone();
        second.giveBack();
        waits.get();
        assertThat(two.waiting()).isZero();
    }

    @Test
    void givingBackTwiceGivesOne() throws Exception {
        var holder = turns.of("a");
        holder.take();
        holder.take();
        holder.giveBack();
        holder.giveBack();
        holder.close();
        var other = turns.of("b");
        other.take();
        comes("c1");
        assertThat(turns.waiting()).isOne();
        other.close();
        assertThat(next()).isEqualTo("c1");
        isFree();
    }

    /** As where a client disconnects or the gateway stops. */
    @Test
    void oneThatIsInterruptedWaitsNoLonger() throws Exception {
        var holder = turns.of("a");
        holder.take();
        var outcome = new CompletableFuture<Throwable>();
        Thread interrupted = Thread.ofVirtual().start(() -> {
            try (var turn = turns.of("a")) {
                turn.take();
                outcome.complete(new AssertionError("it had a turn"));
            } catch (IOException e) {
                outcome.complete(e);
            }
        });
        await().until(() -> turns.waiting() == 1);
        comes("a2");
        interrupted.interrupt();
        assertThat(outcome.get()).isInstanceOf(InterruptedIOException.class);
        await().until(() -> turns.waiting() == 1);
        holder.giveBack();
        assertThat(next()).isEqualTo("a2");
        isFree();
    }

    @Test
    void oneThatFailsGivesItBack() throws Exception {
        assertThatThrownBy(() -> {
                    try (var turn = turns.of("a")) {
                        turn.take();
                        throw new IllegalStateException();
                    }
                })
                .isInstanceOf(IllegalStateException.class);
        isFree();
    }

    /** Comes after all who wait already, has a turn, says its name, and gives the turn to the next. */
    private void comes(String body) {
        int before = turns.waiting();
        Thread.ofVirtual().start(() -> {
            try (var turn = turns.of(body.substring(0, 1))) {
                take(turn);
                order.add(body);
            }
        });
        await().until(() -> turns.waiting() > before);
    }

    private String next() throws InterruptedException {
        String next = order.poll(20, TimeUnit.SECONDS);
        return next == null ? "nobody" : next;
    }

    private static void take(CpuTurns.Turn turn) {
        try {
            turn.take();
        } catch (InterruptedIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whoever comes has a turn at once. */
    private void isFree() throws IOException {
        for (int i = 0; i < 2; i++) {
            try (var turn = turns.of("z")) {
                turn.take();
            }
        }
        assertThat(turns.waiting()).isZero();
    }
}
