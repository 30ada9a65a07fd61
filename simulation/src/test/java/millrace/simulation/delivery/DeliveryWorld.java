package millrace.simulation.delivery;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Two notifiers, receivers of every kind and a source of events, driven by one seed. */
final class DeliveryWorld implements AutoCloseable {
    static final int PARTITIONS = 4;
    private static final NotifierSettings SETTINGS = NotifierProcess.settings(Map.of(
            "notifier.retries", "1s,2s,4s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s",
            "notifier.probes", "1s,2s,4s"));

    final Scheduler scheduler;
    final RandomGenerator random;
    final SimulatedKafka kafka;
    final SimulatedReceivers receivers;
    final EventSource source;
    final List<NotifierProcess> notifiers;

    DeliveryWorld(long seed) {
        scheduler = new Scheduler(seed);
        random = scheduler.random();
        kafka = new SimulatedKafka(scheduler);
        Topics.ALL.forEach(topic -> kafka.createTopic(topic.name(), PARTITIONS));
        receivers = new SimulatedReceivers(scheduler, SETTINGS.deadline());
        receivers.onRequest(new AttemptOrderCheck());
        source = new EventSource(scheduler, kafka);
        notifiers = Stream.of("a", "b")
                .map(instance -> new NotifierProcess(scheduler, kafka, receivers, SETTINGS, instance))
                .toList();
    }

    /** Starts the notifiers, and the source once the notifiers are ready. */
    void start() {
        notifiers.forEach(NotifierProcess::start);
        await(() -> notifiers.stream().allMatch(NotifierProcess::ready), Duration.ofSeconds(20), "ready notifiers");
        source.start();
        restartWhatEndedByItself();
    }

    private void restartWhatEndedByItself() {
        notifiers.stream().filter(notifier -> notifier.fatal() != null).forEach(NotifierProcess::start);
        scheduler.after(Duration.ofSeconds(1), this::restartWhatEndedByItself);
    }

    void runFor(Duration time) {
        scheduler.run(() -> false, time);
    }

    /** Waits for the condition, which is checked 10 times a second; fails after the time. */
    void await(java.util.function.BooleanSupplier condition, Duration atMost, String what) {
        long end = scheduler.nanos() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (scheduler.nanos() >= end) {
                throw new AssertionError("not within " + atMost + ": " + what);
            }
            runFor(Duration.ofMillis(100));
        }
    }

    Duration between(Duration least, Duration most) {
        return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos()));
    }

    /** Events that Kafka acknowledged and that have neither ended nor wait for a notifier. */
    Set<String> lost() {
        Set<String> lost = new TreeSet<>(source.produced().keySet());
        records(Topics.WEBHOOK_ATTEMPTS)
                .map(record -> Topics.WEBHOOK_ATTEMPTS.decode(record.value()))
                .filter(attempt -> attempt.outcome() != WebhookAttempt.Outcome.FAILED)
                .forEach(attempt -> lost.remove(attempt.eventId()));
        records(Topics.WEBHOOK_DEAD_LETTERS)
                .map(record -> Topics.WEBHOOK_DEAD_LETTERS.decode(record.value()))
                .forEach(letter -> lost.remove(letter.eventId()));
        lost.removeAll(waiting());
        return lost;
    }

    /** Events in the state topic. */
    Set<String> waiting() {
        Set<String> waiting = new HashSet<>();
        records(Topics.DELIVERY_STATE).forEach(record -> {
            String id = record.key().substring(record.key().lastIndexOf('|') + 1);
            if (record.value() == null) {
                waiting.remove(id);
            } else if (Topics.DELIVERY_STATE.decode(record.value()) instanceof DeliveryState.Waiting) {
                waiting.add(id);
            }
        });
        return waiting;
    }

    /** Events to these hosts that are not delivered. */
    Set<String> undelivered(Set<EventSource.Host> hosts) {
        Set<String> undelivered = new TreeSet<>();
        source.produced().forEach((id, event) -> {
            if (hosts.contains(event.host()) && !receivers.delivered(id)) {
                undelivered.add(id);
            }
        });
        return undelivered;
    }

    private Stream<ConsumerRecord<String, byte[]>> records(Topic<?> topic) {
        return IntStream.range(0, PARTITIONS)
                .boxed()
                .flatMap(partition -> kafka.committed(topic.name(), partition, 0).stream());
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
