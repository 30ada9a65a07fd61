package millrace.simulation.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Two processes copy a topic exactly once, while one of them is killed now and then. Prints the hash of a seed, to
 * compare traces, or the mean time of many seeds.
 */
final class ExactlyOnceCopyRun {
    private static final int RECORDS = 200;

    private final Scheduler scheduler;
    private final SimulatedKafka kafka;
    private int steps;

    private ExactlyOnceCopyRun(long seed) {
        scheduler = new Scheduler(seed);
        kafka = new SimulatedKafka(scheduler);
        kafka.createTopic("in", 4);
        kafka.createTopic("out", 4);
        kafka.network().lostAcknowledgements(0.05);
        kafka.network().visibilityDelay(Duration.ofMillis(20));
    }

    /** Arguments: the first seed, and the number of seeds. */
    public static void main(String[] arguments) {
        long seed = Long.parseLong(arguments[0]);
        int runs = arguments.length < 2 ? 1 : Integer.parseInt(arguments[1]);
        long began = System.nanoTime();
        long steps = 0;
        for (int i = 0; i < runs - 1; i++) {
            var run = new ExactlyOnceCopyRun(seed + i + 1);
            run.hash();
            steps += run.steps;
        }
        if (runs > 1) {
            long nanos = System.nanoTime() - began;
            System.out.println(nanos / 1_000 / runs + " us and " + steps / runs + " steps a seed, " + nanos / steps
                    + " ns a step");
        } else {
            System.out.print(new ExactlyOnceCopyRun(seed).hash());
        }
    }

    static long hashOf(long seed) {
        return new ExactlyOnceCopyRun(seed).hash();
    }

    private long hash() {
        try (scheduler) {
            scheduler.afterEachStep(() -> steps++);
            SimulatedProcess source = scheduler.process("source");
            source.threads().virtual().start(() -> produce(source));
            start("a");
            start("b");
            boolean ended = scheduler.run(() -> steps % 50 == 0 && copied() == RECORDS, Duration.ofMinutes(5));
            if (!ended || copied() > RECORDS) {
                throw new AssertionError("copied " + copied() + "\n"
                        + String.join("\n", scheduler.trace().tail(60)));
            }
            return scheduler.trace().hash();
        }
    }

    private long copied() {
        long copied = 0;
        for (int i = 0; i < 4; i++) {
            copied +=
                    kafka.end("out", i) == 0 ? 0 : kafka.committed("out", i, 0).size();
        }
        return copied;
    }

    private void produce(SimulatedProcess process) {
        Producer<String, byte[]> producer = kafka.clientsOf(process).producer(Map.of());
        for (int i = 0; i < RECORDS; i++) {
            var unused = producer.send(new ProducerRecord<>("in", "key" + i, ("" + i).getBytes(UTF_8)));
            process.threads().parkNanos(scheduler.random().nextInt(30_000_000));
        }
    }

    private void start(String name) {
        SimulatedProcess process = scheduler.process(name);
        scheduler.after(Duration.ofMillis(scheduler.random().nextInt(500, 5_000)), process::kill);
        process.onKilled(() -> scheduler.after(Duration.ofMillis(200), () -> start(name)));
        process.threads().virtual().name(name).start(() -> {
            while (true) {
                try {
                    copy(process);
                } catch (KafkaException e) {
                    scheduler.trace().add(name + " " + e);
                }
            }
        });
    }

    private void copy(SimulatedProcess process) {
        Map<String, Object> config = new HashMap<>();
        config.put("group.id", "copy");
        config.put("group.instance.id", process.name());
        config.put("partition.assignment.strategy", CooperativeStickyAssignor.class);
        config.put("isolation.level", "read_committed");
        config.put("auto.offset.reset", "earliest");
        config.put("session.timeout.ms", 6_000);
        config.put("heartbeat.interval.ms", 300);
        try (Consumer<String, byte[]> consumer = kafka.clientsOf(process).consumer(config);
                Producer<String, byte[]> producer =
                        kafka.clientsOf(process).producer(Map.of("transactional.id", process.name()))) {
            producer.initTransactions();
            consumer.subscribe(List.of("in"));
            int empty = 0;
            while (true) {
                var records = consumer.poll(Duration.ofMillis(100));
                empty = records.isEmpty() ? empty + 1 : 0;
                if (empty == 10) {
                    consumer.enforceRebalance("a partition may have no owner");
                }
                if (!records.isEmpty()) {
                    producer.beginTransaction();
                    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                    for (ConsumerRecord<String, byte[]> record : records) {
                        var unused = producer.send(new ProducerRecord<>("out", record.key(), record.value()));
                        offsets.put(
                                new TopicPartition(record.topic(), record.partition()),
                                new OffsetAndMetadata(record.offset() + 1));
                    }
                    producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                    producer.commitTransaction();
                }
            }
        }
    }
}
