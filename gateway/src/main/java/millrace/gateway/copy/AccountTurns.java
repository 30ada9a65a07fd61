package millrace.gateway.copy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A few places that callers of all accounts share. Accounts that wait get one in turn, however many
 * callers each has. Safe for use by many threads.
 */
public final class AccountTurns {
    private final ReentrantLock lock = new ReentrantLock();
    private final int mostOfAccount;
    private final Map<String, Integer> taken = new HashMap<>();
    /** Accounts that wait; the one whose turn it is comes first. */
    private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();

    private int free;

    private static final class Waiting {
        final Condition turn;
        boolean come;

        Waiting(Condition turn) {
            this.turn = turn;
        }
    }

    /** @param mostOfAccount places that one account has at most */
    public AccountTurns(int places, int mostOfAccount) {
        this.free = places;
        this.mostOfAccount = mostOfAccount;
    }

    /**
     * Waits for a place, which must be given back with {@link #leave}.
     *
     * @return false where there is none in time
     */
    public boolean enter(String account, long timeoutNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // Accounts that wait while there is a free place have as many as they may.
            if (free > 0 && taken(account) < mostOfAccount) {
                take(account);
                return true;
            }
            return await(account, timeoutNanos);
        } finally {
            lock.unlock();
        }
    }

    private boolean await(String account, long timeoutNanos) throws InterruptedException {
        var mine = new Waiting(lock.newCondition());
        waiting.computeIfAbsent(account, a -> new ArrayDeque<>()).add(mine);
        long left = timeoutNanos;
        try {
            while (!mine.come && left > 0) {
                left = mine.turn.awaitNanos(left);
            }
            return mine.come;
        } catch (InterruptedException e) {
            if (mine.come) {
                giveBack(account);
            }
            throw e;
        } finally {
            if (!mine.come) {
                waiting.computeIfPresent(account, (a, all) -> {
                    all.remove(mine);
                    return all.isEmpty() ? null : all;
                });
            }
        }
    }

    public void leave(String account) {
        lock.lock();
        try {
            giveBack(account);
        } finally {
            lock.unlock();
        }
    }

    public int callersThatWait() {
        lock.lock();
        try {
            return waiting.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(String account) {
        free++;
        taken.computeIfPresent(account, (a, places) -> places > 1 ? places - 1 : null);
        Iterator<Map.Entry<String, Deque<Waiting>>> accounts =
                waiting.entrySet().iterator();
        while (accounts.hasNext()) {
            Map.Entry<String, Deque<Waiting>> next = accounts.next();
            if (taken(next.getKey()) < mostOfAccount) {
                accounts.remove();
                call(next.getKey(), next.getValue());
                return;
            }
        }
    }

    /** The account's first caller gets the place; the next one waits behind all other accounts. */
    private void call(String account, Deque<Waiting> callers) {
        Waiting first = callers.remove();
        if (!callers.isEmpty()) {
            waiting.put(account, callers);
        }
        take(account);
        first.come = true;
        first.turn.signal();
    }

    private void take(String account) {
        free--;
        taken.merge(account, 1, Integer::sum);
    }

    private int taken(String account) {
        return taken.getOrDefault(account, 0);
    }
}
