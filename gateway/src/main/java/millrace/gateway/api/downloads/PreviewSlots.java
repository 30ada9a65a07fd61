package millrace.gateway.api.downloads;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Bounds the previews that are read at the same time, each of which holds an open file. A slot ends
 * by itself, so that a client that reads slowly, or not at all, does not keep it.
 */
final class PreviewSlots {
    static final int OF_ACCOUNT = 4;
    static final int IN_ALL = 32;
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final Set<Slot> taken = new HashSet<>();
    private final LongSupplier nanos;

    /** @param nanos a clock that does not go back, as {@link System#nanoTime} */
    PreviewSlots(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The place of one preview. */
    final class Slot implements AutoCloseable {
        private final String accountId;
        private final long since = nanos.getAsLong();

        private Slot(String accountId) {
            this.accountId = accountId;
        }

        boolean ended() {
            return nanos.getAsLong() - since > LONGEST.toNanos();
        }

        @Override
        public void close() {
            synchronized (taken) {
                taken.remove(this);
            }
        }
    }

    /** Empty where the account, or all accounts together, have as many as they may. */
    Optional<Slot> take(String accountId) {
        synchronized (taken) {
            taken.removeIf(Slot::ended);
            long own = taken.stream()
                    .filter(slot -> slot.accountId.equals(accountId))
                    .count();
            if (own >= OF_ACCOUNT || taken.size() >= IN_ALL) {
                return Optional.empty();
            }
            var slot = new Slot(accountId);
            taken.add(slot);
            return Optional.of(slot);
        }
    }
}
