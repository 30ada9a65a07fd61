package millrace.gateway.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class AccountTurnsTest {
    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final List<String> entered = new CopyOnWriteArrayList<>();

    @Test
    void anAccountHasHalfOfThePlaces() throws InterruptedException {
        var turns = new AccountTurns(4, 2);
        assertThat(turns.enter("a", 0)).isTrue();
        assertThat(turns.enter("a", 0)).isTrue();
        assertThat(turns.enter("a", 0)).isFalse();
        assertThat(turns.enter("b", 0)).isTrue();
        assertThat(turns.enter("b", 0)).isTrue();
        assertThat(turns.enter("c", 0)).isFalse();
        turns.leave("a");
        assertThat(turns.enter("b", 0)).isFalse();
        assertThat(turns.enter("c", 0)).isTrue();
        assertThat(turns.callersThatWait()).isZero();
    }

    @Test
    void thoseOfAnotherAccountDoNotWaitBehindAllOfThisOne() throws InterruptedException {
        var turns = new AccountTurns(2, 1);
        assertThat(turns.enter("x", 0)).isTrue();
        assertThat(turns.enter("y", 0)).isTrue();
        for (String account : List.of("a", "a", "a", "b")) {
            arrives(turns, account);
        }
        for (String leaving : List.of("x", "y", "a", "a")) {
            int before = entered.size();
            turns.leave(leaving);
            await().until(() -> entered.size() == before + 1);
        }
        assertThat(entered).containsExactly("a", "b", "a", "a");
        turns.leave("b");
        assertThat(turns.enter("c", 0)).isTrue();
    }

    @Test
    void whoWaitsInVainTakesNothing() throws InterruptedException {
        var turns = new AccountTurns(2, 1);
        assertThat(turns.enter("x", 0)).isTrue();
        assertThat(turns.enter("y", 0)).isTrue();
        assertThat(turns.enter("a", 1)).isFalse();
        Thread interrupted = arrives(turns, "a");
        interrupted.interrupt();
        interrupted.join();
        assertThat(turns.callersThatWait()).isZero();
        turns.leave("x");
        assertThat(turns.enter("b", 0)).isTrue();
        assertThat(entered).isEmpty();
    }

    /** Waits until it is among those that wait. */
    private Thread arrives(AccountTurns turns, String account) {
        int before = turns.callersThatWait();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                if (turns.enter(account, LONG)) {
                    entered.add(account);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> turns.callersThatWait() == before + 1);
        return thread;
    }
}
