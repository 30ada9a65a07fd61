package millrace.simulation.delivery;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.delivery.DeliveryCommand;
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
    /**
     * Seeds share them: endpoints that have all their events in memory, that have three at most, so that they fall behind
     * and catch up all the time, and that have one at times, when their account has its most.
     */
    private static final List<NotifierSettings> SETTINGS =
            List.of(settings("1000", "1000000", "72h"), settings("3", "400", "72h"), settings("3", "64", "72h"));

    static NotifierSettings settings(String window, String heldEvents, String giveUpAfter) {
        return NotifierProcess.settings(Map.of(
                "notifier.retries", "1s,2s,4s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s,8s",
                "notifier.probes", "1s,2s,4s",
                "notifier.window", window,
                "notifier.give-up-after", giveUpAfter,
                "notifier.held-events", heldEvents));
    }

    final Scheduler scheduler;
    final RandomGenerator random;
    final SimulatedKafka kafka;
    final SimulatedReceivers receivers;
    final EventSource source;
    final List<NotifierProcess> notifiers;

    /** A world in which no event becomes too old, so that the events of each report are attempted in their order. */
    DeliveryWorld(long seed) {
        this(seed, SETTINGS.get((int) (seed % SETTINGS.size())));
        receivers.onRequest(new AttemptOrderCheck());
    }

    DeliveryWorld(long seed, NotifierSettings settings) {
        scheduler = new Scheduler(seed);
        random = scheduler.random();
        kafka = new SimulatedKafka(scheduler);
        Topics.ALL.forEach(topic -> kafka.createTopic(topic.name(), PARTITIONS));
        receivers = new SimulatedReceivers(scheduler, settings.deadline());
        source = new EventSource(scheduler, kafka);
        notifiers = Stream.of("a", "b")
                .map(instance -> new NotifierProcess(scheduler, kafka, receivers, settings, instance))
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
        lost.removeAll(deadLetters());
        lost.removeAll(waiting());
        return lost;
    }

    /** Events that were given up. */
    Set<String> deadLetters() {
        return records(Topics.WEBHOOK_DEAD_LETTERS)
                .map(record ->
                        Topics.WEBHOOK_DEAD_LETTERS.decode(record.value()).eventId())
                .collect(Collectors.toSet());
    }

    /** Events that notifiers have taken, or passed over, and that have not ended. */
    Set<String> waiting() {
        Set<String> waiting = saved();
        waiting.addAll(behind());
        return waiting;
    }

    /** Events in the state topic. */
    private Set<String> saved() {
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

    /** The keys of a compacted topic. */
    Set<String> states(Topic<?> topic) {
        Set<String> keys = new HashSet<>();
        records(topic).forEach(record -> {
            if (record.value() == null) {
                keys.remove(record.key());
            } else {
                keys.add(record.key());
            }
        });
        return keys;
    }

    /** Events in the backlogs of endpoints. */
    private Set<String> behind() {
        Map<String, DeliveryState.Behind> backlogs = new HashMap<>();
        backlogRecords().forEach(record -> {
            String endpoint = record.key().substring(0, record.key().lastIndexOf("|behind|"));
            if (record.value() == null) {
                backlogs.remove(endpoint);
            } else if (Topics.DELIVERY_STATE.decode(record.value()) instanceof DeliveryState.Behind behind) {
                backlogs.put(endpoint, behind);
            }
        });
        Set<String> behind = new HashSet<>();
        records(Topics.DELIVERIES).forEach(record -> {
            DeliveryState.Behind backlog = backlogs.get(record.key());
            if (backlog != null
                    && record.offset() >= backlog.from()
                    && Topics.DELIVERIES.decode(record.value()) instanceof DeliveryCommand.Deliver delivery) {
                behind.add(delivery.eventId());
            }
        });
        return behind;
    }

    /** Records that say where a backlog begins, and tombstones where one has ended. */
    List<ConsumerRecord<String, byte[]>> backlogRecords() {
        return records(Topics.DELIVERY_STATE)
                .filter(record -> record.key().endsWith("|behind|"))
                .toList();
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
