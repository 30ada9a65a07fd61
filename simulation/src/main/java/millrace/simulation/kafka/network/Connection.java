package millrace.simulation.kafka.network;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a client to the broker. Requests arrive in the order in which they are sent. After retriable errors
 * and lost answers they are repeated, as Kafka's clients do. Requests that a process sent before it was killed arrive.
 */
public final class Connection {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long RETRY = 100 * NANOS_PER_MILLI;
    private static final long RETRY_CONCURRENT_TRANSACTIONS = 20 * NANOS_PER_MILLI;

    private final SimulatedProcess process;
    private final Scheduler scheduler;
    private final NetworkFaults faults;
    private final List<Thread> waiting = new ArrayList<>();
    private long lastArrival;
    private long lastAnswer;
    private long changes;

    public Connection(SimulatedProcess process, NetworkFaults faults) {
        this.process = process;
        this.scheduler = process.scheduler();
        this.faults = faults;
    }

    public SimulatedProcess process() {
        return process;
    }

    public long now() {
        return scheduler.nanos();
    }

    /** The deadline after a time; {@link Long#MAX_VALUE} means never. */
    public long deadline(long nanos) {
        return nanos >= Long.MAX_VALUE - now() ? Long.MAX_VALUE : now() + nanos;
    }

    /** Sends a request that changes nothing, or is not repeated when its answer is lost. */
    public <T> ClientRequest<T> ask(Supplier<T> operation) {
        return send(answer -> answer.value(operation.get()));
    }

    /** Sends a request that the broker answers later. */
    public <T> ClientRequest<T> send(Consumer<ResponseCallback<T>> operation) {
        var request = new ClientRequest<T>();
        transmit(new Sent<>(request, operation, false), 0);
        return request;
    }

    /** Sends a request that changes something; it is repeated when its answer is lost. */
    public <T> ClientRequest<T> write(Supplier<T> operation) {
        var request = new ClientRequest<T>();
        transmit(new Sent<>(request, answer -> answer.value(operation.get()), true), 0);
        return request;
    }

    /** Number of answers and calls of {@link #changed}. */
    public long changes() {
        return changes;
    }

    /** Makes waiting threads check their conditions. */
    public void changed() {
        changes++;
        waiting.forEach(LockSupport::unpark);
    }

    /**
     * Waits until the condition holds.
     *
     * @return false after the deadline
     * @throws InterruptException where the thread is interrupted
     */
    public boolean await(BooleanSupplier condition, long deadline) {
        Thread thread = Thread.currentThread();
        waiting.add(thread);
        try {
            while (!condition.getAsBoolean()) {
                if (thread.isInterrupted()) {
                    throw new InterruptException(new InterruptedException());
                }
                if (deadline <= now()) {
                    return false;
                }
                park(deadline);
            }
            return true;
        } finally {
            waiting.remove(thread);
        }
    }

    private void park(long deadline) {
        if (deadline == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            process.threads().parkNanos(deadline - now());
        }
    }

    private record Sent<T>(ClientRequest<T> request, Consumer<ResponseCallback<T>> operation, boolean repeated) {}

    private <T> void transmit(Sent<T> sent, long delay) {
        long unavailable = faults.unavailableNanos(now());
        boolean held = unavailable > 0;
        long travel = delay + Math.max(0, unavailable) + faults.latency(scheduler.random());
        lastArrival = Math.max(lastArrival, now() + travel);
        scheduler.timer(lastArrival - now(), () -> arrive(sent, held));
    }

    /** @param held whether the request is sent late, since the broker was unavailable */
    private <T> void arrive(Sent<T> sent, boolean held) {
        if (held && (sent.request().isAbandoned() || !process.alive())) {
            return;
        }
        if (held && !process.running()) {
            transmit(sent, RETRY);
        } else if (faults.unavailableNanos(now()) > 0) {
            transmit(sent, 0);
        } else {
            perform(sent);
        }
    }

    private <T> void perform(Sent<T> sent) {
        var answer = new ResponseCallback<T>() {
            @Override
            public void value(T value) {
                if (sent.repeated() && faults.losesAcknowledgement(scheduler.random())) {
                    scheduler.trace().add("answer to " + process.name() + " lost");
                    retry(sent, RETRY);
                } else {
                    respond(sent.request(), value, null);
                }
            }

            @Override
            public void error(RuntimeException error) {
                if (error instanceof ConcurrentTransactionsException) {
                    retry(sent, RETRY_CONCURRENT_TRANSACTIONS);
                } else if (error instanceof RetriableException) {
                    retry(sent, RETRY);
                } else {
                    respond(sent.request(), null, error);
                }
            }
        };
        try {
            sent.operation().accept(answer);
        } catch (RuntimeException e) {
            answer.error(e);
        }
    }

    private <T> void retry(Sent<T> sent, long delay) {
        scheduler.timer(delay, () -> {
            if (!process.alive() || sent.request().isAbandoned()) {
                return;
            }
            if (process.running()) {
                transmit(sent, 0);
            } else {
                retry(sent, delay);
            }
        });
    }

    private <T> void respond(ClientRequest<T> request, @Nullable T value, @Nullable RuntimeException error) {
        lastAnswer = Math.max(lastAnswer, now() + faults.latency(scheduler.random()));
        scheduler.timer(lastAnswer - now(), () -> {
            if (process.alive()) {
                request.complete(value, error);
                changed();
            }
        });
    }
}
