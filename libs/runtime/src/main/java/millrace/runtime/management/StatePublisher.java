package millrace.runtime.management;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.PeriodicProducer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to Kafka how the services of this process are: at once when it changes, and otherwise every few seconds, so that
 * whoever reads it notices silence.
 */
final class StatePublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatePublisher.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration CLOSING = Duration.ofMillis(500);

    private final PeriodicProducer producer;
    private final String instanceId;
    private final Supplier<Observed> observe;
    private final InstantSource clock;
    private final Instant startedAt;
    private final Thread thread =
            Thread.ofPlatform().name("process-state").daemon().unstarted(this::run);
    private @Nullable ProcessState last;
    private volatile boolean closed;

    /**
     * @param services results of readiness checks, by service
     * @param stateForm of a ledger, or null
     */
    record Observed(
            boolean ready,
            Map<String, ? extends SortedMap<String, Boolean>> services,
            @Nullable Integer stateForm) {}

    StatePublisher(PeriodicProducer producer, String instanceId, Supplier<Observed> observe, InstantSource clock) {
        this.producer = producer;
        this.instanceId = instanceId;
        this.observe = observe;
        this.clock = clock;
        this.startedAt = clock.instant();
    }

    /** Starts. The topics must exist. */
    static StatePublisher start(KafkaSettings kafka, Supplier<Observed> observe) {
        var publisher = new StatePublisher(
                PeriodicProducer.open(kafka, "process-state"), kafka.instanceId(), observe, InstantSource.system());
        publisher.thread.start();
        return publisher;
    }

    private void run() {
        producer.run(kafka -> look());
    }

    private Duration look() {
        try {
            publish();
        } catch (KafkaException e) {
            LOG.debug("state of the process not written error={}", e.toString());
        }
        return LOOK;
    }

    /** Writes the state where it has changed, or was last written too long ago. */
    void publish() {
        Observed now = observe.get();
        SortedMap<String, SortedMap<String, Boolean>> services = new TreeMap<>(now.services());
        var state = new ProcessState(instanceId, now.ready(), services, startedAt, clock.instant(), now.stateForm());
        ProcessState before = last;
        boolean same = before != null
                && before.ready() == state.ready()
                && before.services().equals(state.services())
                && state.at().isBefore(before.at().plus(ProcessState.INTERVAL));
        if (!same) {
            last = state;
            var unused = send(state.key(), Topics.PROCESS_STATES.encode(state));
        }
    }

    private Future<?> send(String key, byte @Nullable [] value) {
        return producer.producer().send(new ProducerRecord<>(Topics.PROCESS_STATES.name(), key, value));
    }

    /** Says that the process is gone, where Kafka still listens. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        thread.interrupt();
        try {
            if (thread.isAlive()) {
                thread.join(CLOSING);
            }
            ProcessState told = last;
            if (told != null) {
                var unused = send(told.key(), null).get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            LOG.debug("end of the process not written error={}", e.toString());
        } finally {
            producer.close();
        }
    }
}
