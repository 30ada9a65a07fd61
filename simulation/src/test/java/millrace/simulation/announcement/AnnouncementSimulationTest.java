package millrace.simulation.announcement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.notifier.versions.Subscribers;
import millrace.notifier.versions.Subscribers.Subscriber;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two announcers with simulated Kafka, of which each is killed, paused and replaced, while Kafka fails now and then. Each
 * version is announced once and in order, and each subscriber has one event of each announcement. A failing seed fails
 * each time.
 */
class AnnouncementSimulationTest {
    private static final int PARTITIONS = 3;
    /** More than a transaction takes, twice over. */
    private static final int MANY = 1_001;

    private static final int FEW = 3;
    private static final List<String> DATASETS = List.of("demographics", "keywords", "site_keywords");
    private static final int VERSIONS = 4;
    private static final Duration TRAFFIC = Duration.ofSeconds(40);
    /** An open transaction, a session that expires, and a rebalance. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    static LongStream seeds() {
        return LongStream.range(0, 12);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachSubscriberHasEachAnnouncementOnce(long seed) {
        try (var scheduler = new Scheduler(seed)) {
            var kafka = new SimulatedKafka(scheduler);
            Topics.ALL.forEach(topic -> kafka.createTopic(topic.name(), PARTITIONS));
            kafka.network().lostAcknowledgements(scheduler.random().nextInt(3) == 0 ? 0.05 : 0);
            List<AnnouncerProcess> announcers = Stream.of("a", "b")
                    .map(name -> new AnnouncerProcess(scheduler, kafka, subscribers(), name))
                    .toList();
            publish(scheduler, kafka);
            faults(scheduler, kafka, announcers);
            scheduler.run(() -> false, TRAFFIC);
            kafka.network().lostAcknowledgements(0);
            Duration step = Duration.ofSeconds(1);
            for (Duration waited = Duration.ZERO;
                    deliveries(kafka).size() < expectedDeliveries() && waited.compareTo(RECOVERY) < 0;
                    waited = waited.plus(step)) {
                scheduler.run(() -> false, step);
            }
            scheduler.run(() -> false, Duration.ofSeconds(15)); // for what comes twice
            announcers.forEach(announcer -> assertThat(announcer.fatal()).isNull());
            check(kafka);
        }
    }

    private static void check(SimulatedKafka kafka) {
        Map<String, List<String>> announced = new TreeMap<>();
        records(kafka, Topics.DATASET_VERSIONS)
                .map(record -> Topics.DATASET_VERSIONS.decode(record.value()))
                .forEach(one -> announced
                        .computeIfAbsent(one.dataset(), dataset -> new ArrayList<>())
                        .add(one.sequence() + " " + one.version() + " " + one.change()));
        List<String> once = List.of("1 v0 PUBLISHED", "2 v1 PUBLISHED", "3 v2 PUBLISHED", "4 v0 RESTORED");
        assertThat(announced).isEqualTo(new TreeMap<>(DATASETS.stream().collect(Collectors.toMap(d -> d, d -> once))));
        List<DeliveryCommand.Deliver> deliveries = deliveries(kafka);
        assertThat(deliveries).hasSize(expectedDeliveries());
        assertThat(deliveries).extracting(DeliveryCommand.Deliver::eventId).doesNotHaveDuplicates();
        assertThat(deliveries.stream()
                        .collect(Collectors.groupingBy(DeliveryCommand.Deliver::reportId))
                        .values())
                .allSatisfy(ofSubscriber -> assertThat(ofSubscriber)
                        .extracting(DeliveryCommand.Deliver::sequence)
                        .containsExactly(1, 2, 3, 4));
    }

    private static int expectedDeliveries() {
        return VERSIONS * (MANY + FEW * (DATASETS.size() - 1));
    }

    private static List<DeliveryCommand.Deliver> deliveries(SimulatedKafka kafka) {
        return records(kafka, Topics.DELIVERIES)
                .map(record -> (DeliveryCommand.Deliver) Topics.DELIVERIES.decode(record.value()))
                .toList();
    }

    private static Stream<ConsumerRecord<String, byte[]>> records(SimulatedKafka kafka, Topic<?> topic) {
        return IntStream.range(0, PARTITIONS)
                .boxed()
                .flatMap(partition -> kafka.committed(topic.name(), partition, 0).stream());
    }

    /** The first dataset is seen by many. */
    private static Subscribers subscribers() {
        List<Subscriber> many = IntStream.range(0, MANY)
                .mapToObj(n -> new Subscriber("account-" + n, "sub_" + n, "http://host-" + n + "/hook"))
                .sorted(Comparator.comparing(subscriber -> subscriber.accountId() + "/" + subscriber.subscriptionId()))
                .toList();
        return (eventType, access) -> access.equals(access(DATASETS.getFirst())) ? many : many.subList(0, FEW);
    }

    private static List<List<String>> access(String dataset) {
        return List.of(List.of(dataset));
    }

    /** Two processors publish the versions, of which one may be late; the last one goes back to the first. */
    private static void publish(Scheduler scheduler, SimulatedKafka kafka) {
        SimulatedProcess processor = scheduler.process("processor");
        Producer<String, byte[]> producer = kafka.clientsOf(processor)
                .producer(KafkaSettings.local("simulated:9092", 1, "processor").producerConfig("examples"));
        processor.threads().platform().name("examples").start(() -> {
            for (int number = 0; number < VERSIONS; number++) {
                for (String dataset : DATASETS) {
                    send(producer, example(dataset, number, false));
                    send(producer, example(dataset, number, true));
                    processor.threads().parkNanos(scheduler.random().nextLong(3_000_000_000L));
                    if (number > 0 && scheduler.random().nextBoolean()) {
                        send(producer, example(dataset, number - 1, true));
                    }
                    send(producer, example(dataset, number, true));
                }
            }
        });
    }

    private static DatasetExample example(String dataset, int number, boolean withFacts) {
        var span = new DatasetFacts.Span(LocalDate.EPOCH, LocalDate.EPOCH.plusMonths(number));
        var facts = new DatasetFacts(null, 100, 10, Map.of("monthly", span), List.of());
        return new DatasetExample(
                dataset,
                "v" + number % (VERSIONS - 1),
                null,
                withFacts ? facts : null,
                null,
                access(dataset),
                Instant.EPOCH.plusSeconds(number),
                null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Kafka is available again before the producer gives up
    private static void send(Producer<String, byte[]> producer, DatasetExample example) {
        producer.send(new ProducerRecord<>(
                Topics.DATASET_EXAMPLES.name(), example.dataset(), Topics.DATASET_EXAMPLES.encode(example)));
    }

    private static void faults(Scheduler scheduler, SimulatedKafka kafka, List<AnnouncerProcess> announcers) {
        int number = 4 + scheduler.random().nextInt(8);
        for (int i = 0; i < number; i++) {
            AnnouncerProcess victim = announcers.get(scheduler.random().nextInt(announcers.size()));
            Duration length = Duration.ofMillis(50 + scheduler.random().nextInt(9_000));
            int kind = scheduler.random().nextInt(8);
            scheduler.after(Duration.ofMillis(scheduler.random().nextLong(TRAFFIC.toMillis())), () -> {
                switch (kind) {
                    case 0, 1, 2, 3 -> victim.kill(length);
                    case 4, 5 -> victim.pause(length, false);
                    case 6 -> victim.pause(length, true);
                    default -> kafka.network().unavailableUntil(scheduler.nanos() + length.toNanos() / 2);
                }
            });
        }
    }
}
