package millrace.gateway.api.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.runtime.kafka.FoldedOffsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatusWaitsTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final StatusWaits waits = new StatusWaits(new FoldedOffsets(), LONG);
    private final AtomicInteger begun = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    @Test
    void onlySoManyRequestsOfAnAccountWait() throws InterruptedException {
        begin("acme", StatusWaits.OF_ACCOUNT);
        assertThat(waits.await("acme", () -> false, LONG)).isFalse();
        begin("other", 1);
        waits.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(begun).hasValue(StatusWaits.OF_ACCOUNT + 1);
    }

    @Test
    void onlySoManyRequestsOfAllAccountsWait() throws InterruptedException {
        for (int account = 0; account < StatusWaits.OF_GATEWAY / StatusWaits.OF_ACCOUNT; account++) {
            begin("account-" + account, StatusWaits.OF_ACCOUNT);
        }
        assertThat(waits.await("acme", () -> false, LONG)).isFalse();
        waits.close();
    }

    @Test
    void aRequestThatIsAnsweredMakesRoom() throws InterruptedException {
        for (int i = 0; i < 2 * StatusWaits.OF_GATEWAY; i++) {
            assertThat(waits.await("acme", () -> true, LONG)).isTrue();
        }
        begin("acme", StatusWaits.OF_ACCOUNT);
        waits.close();
    }

    private void begin(String account, int number) {
        int before = begun.get();
        for (int i = 0; i < number; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    boolean unused = waits.await(
                            account,
                            () -> {
                                begun.incrementAndGet();
                                return false;
                            },
                            LONG);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        await().until(() -> begun.get() == before + number);
    }
}
