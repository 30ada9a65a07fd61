package millrace.gateway.server.body;

import java.io.InterruptedIOException;
import millrace.gateway.copy.AccountTurns;

/** Limits how many long bodies are checked at a time. Accounts take turns. Safe for use by many threads. */
final class CpuTurns {
    private final AccountTurns turns;

    /** @param most bodies at a time, also of one account */
    CpuTurns(int most) {
        this.turns = new AccountTurns(most, most);
    }

    /** The turns of one body, one after the other. For one thread, which closes it. */
    final class Turn implements AutoCloseable {
        private final String accountId;
        private boolean held;

        private Turn(String accountId) {
            this.accountId = accountId;
        }

        /**
         * Waits until the body may be checked.
         *
         * @throws InterruptedIOException where the thread is interrupted; the body does not wait
         *     any longer then
         */
        void take() throws InterruptedIOException {
            if (held) {
                return;
            }
            try {
                held = turns.enter(accountId, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }

        /** Gives the turn to the next body. Does nothing where this one has none. */
        void giveBack() {
            if (held) {
                held = false;
                turns.leave(accountId);
            }
        }

        @Override
        public void close() {
            giveBack();
        }
    }

    Turn of(String accountId) {
        return new Turn(accountId);
    }

    /** Number of bodies that wait for a turn. */
    int waiting() {
        return turns.callersThatWait();
    }
}
