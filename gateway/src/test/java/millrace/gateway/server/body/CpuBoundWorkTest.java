package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CpuBoundWorkTest {
    @Test
    void runsInAThreadThatTheMachineInterrupts() throws IOException {
        assertThat(CpuBoundWork.run(() -> Thread.currentThread().isVirtual())).isFalse();
    }

    @Test
    void throwsWhatTheWorkThrows() {
        var broken = new IOException("broken");
        assertThatThrownBy(() -> CpuBoundWork.run(() -> {
                    throw broken;
                }))
                .isSameAs(broken);
        var wrong = new IllegalStateException("wrong");
        assertThatThrownBy(() -> CpuBoundWork.run(() -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
    }

    @Test
    void endsWithWhoWaitsForIt() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var ended = new CompletableFuture<Boolean>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                CpuBoundWork.run(() -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return ended.complete(false);
                    } catch (InterruptedException e) {
                        return ended.complete(true);
                    }
                });
            } catch (InterruptedIOException e) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                ended.completeExceptionally(e);
            }
        });
        begun.await();
        waiting.interrupt();
        assertThat(ended.join()).isTrue();
    }
}
