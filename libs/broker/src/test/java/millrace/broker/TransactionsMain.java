package millrace.broker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** A broker with producers that commit one transaction after the other, until it is killed. */
final class TransactionsMain {
    static final String TOPIC = "t";
    static final int PARTITIONS = 4;

    private static final int PRODUCERS = 16;

    private TransactionsMain() {}

    public static void main(String[] arguments) throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(Path.of(arguments[0]));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
        var committed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            String id = "producer-" + i;
            threads.add(Thread.ofVirtual().start(() -> produce(kafka.bootstrapServers(), id, committed)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    // The parent reads the output; a failed send fails the commit.
    @SuppressWarnings({"SystemOut", "FutureReturnValueIgnored"})
    private static void produce(String servers, String id, AtomicInteger committed) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", servers, "transactional.id", id, "transaction.timeout.ms", 2000);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            while (true) {
                producer.beginTransaction();
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    producer.send(new ProducerRecord<>(TOPIC, partition, id, "value"));
                }
                producer.commitTransaction();
                if (committed.incrementAndGet() == 10 * PRODUCERS) {
                    System.out.println("busy");
                }
            }
        }
    }
}
