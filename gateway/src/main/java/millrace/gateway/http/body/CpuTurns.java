package millrace.gateway.http.body;

import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how many long bodies are checked at a time. Accounts take turns, so that the bodies of one
 * account wait for each other and not in front of another's. Safe for use by many threads.
 */
final class CpuTurns {
    private final ReentrantLock lock = new ReentrantLock();
    /** What waits, by account. The first account has the next turn. */
    private final SequencedMap<String, Deque<Turn>> waiting = new LinkedHashMap<>();

    private int free;

    /** @param most bodies at a time */
    CpuTurns(int most) {
        this.free = most;
    }

    /** The turns of one body, one after the other. For one thread, which closes it. */
    final class Turn implements AutoCloseable {
        private final String accountId;
        private final Condition given = lock.newCondition();
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
            lock.lock();
            try {
                if (held) {
                    return;
                }
                if (free > 0) {
                    free--;
                    held = true;
                    return;
                }
                waiting.computeIfAbsent(accountId, id -> new ArrayDeque<>()).addLast(this);
                while (!held) {
                    given.await();
                }
            } catch (InterruptedException e) {
                leave();
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            } finally {
                lock.unlock();
            }
        }

        /** Gives the turn to the next body. Does nothing where this one has none. */
        void giveBack() {
            lock.lock();
            try {
                if (held) {
                    held = false;
                    next();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            giveBack();
        }

        private void leave() {
            Deque<Turn> others = waiting.get(accountId);
            if (held) {
                giveBack(); // it was given while the thread was interrupted
            } else if (others != null && others.remove(this) && others.isEmpty()) {
                waiting.remove(accountId);
            }
        }
    }

    Turn of(String accountId) {
        return new Turn(accountId);
    }

    /** Number of bodies that wait for a turn. */
    int waiting() {
        lock.lock();
        try {
            return waiting.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }

    private void next() {
        var account = waiting.pollFirstEntry();
        if (account == null) {
            free++;
            return;
        }
        Turn next = account.getValue().removeFirst();
        if (!account.getValue().isEmpty()) {
            waiting.putLast(account.getKey(), account.getValue());
        }
        next.held = true;
        next.given.signal();
    }
}
