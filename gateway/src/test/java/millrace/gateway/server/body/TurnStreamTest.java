package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class TurnStreamTest {
    private final CpuTurns turns = new CpuTurns(1);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, TurnStream.AHEAD - 1, TurnStream.AHEAD, TurnStream.AHEAD + 1, 1 << 20})
    void readsTheWholeBody(int length) throws IOException {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        try (var turn = turns.of("a")) {
            var stream = new TurnStream(new ByteArrayInputStream(body), turn);
            assertThat(stream.readAllBytes()).isEqualTo(body);
            assertThat(stream.read()).isEqualTo(-1);
        }
        isFree();
    }

    @Test
    void aClientThatSendsSlowlyHoldsNone() throws Exception {
        try (var client = new PipedOutputStream();
                var body = new PipedInputStream(client, TurnStream.AHEAD)) {
            var asked = new CountDownLatch(1);
            CompletableFuture<Integer> checked = CompletableFuture.supplyAsync(() -> {
                try (var turn = turns.of("slow")) {
                    turn.take();
                    asked.countDown();
                    return new TurnStream(body, turn).readNBytes(TurnStream.AHEAD).length;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            asked.await();
            client.write(new byte[TurnStream.AHEAD - 1]);
            client.flush();
            isFree();
            assertThat(checked).isNotDone();
            client.write(1);
            client.flush();
            assertThat(checked.get()).isEqualTo(TurnStream.AHEAD);
            isFree();
        }
    }

    @Test
    void whoeverChecksWhatWasReadHoldsIt() throws Exception {
        byte[] body = new byte[TurnStream.AHEAD];
        CompletableFuture<Void> other;
        try (var turn = turns.of("a")) {
            var stream = new TurnStream(new ByteArrayInputStream(body), turn);
            assertThat(stream.read()).isZero();
            other = CompletableFuture.runAsync(this::isFree);
            await().until(() -> turns.waiting() == 1);
            assertThat(stream.read(new byte[body.length])).isEqualTo(body.length - 1);
            assertThat(turns.waiting()).isOne();
            // At the end, too: what follows it takes most of the time.
            assertThat(stream.read()).isEqualTo(-1);
            other.get();
            other = CompletableFuture.runAsync(this::isFree);
            await().until(() -> turns.waiting() == 1);
        }
        other.get();
    }

    @Test
    void aShortBodyNeedsNone() throws IOException {
        byte[] body = new byte[TurnStream.AHEAD - 1];
        try (var holder = turns.of("a");
                var turn = turns.of("b")) {
            holder.take();
            assertThat(new TurnStream(new ByteArrayInputStream(body), turn).readAllBytes())
                    .isEqualTo(body);
        }
    }

    @Test
    void aBodyThatBreaksOffHoldsNone() throws Exception {
        var unconnected = new PipedInputStream();
        try (var turn = turns.of("a")) {
            turn.take();
            assertThatThrownBy(() -> new TurnStream(unconnected, turn).read()).isInstanceOf(IOException.class);
            isFree();
        }
    }

    /** Waits for a turn, and gives it back. */
    private void isFree() {
        try (var turn = turns.of("other")) {
            turn.take();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
