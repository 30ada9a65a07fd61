package millrace.gateway.copy.deliveries;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Topics with what became of some events of two accounts, on some days. */
final class WrittenDeliveries {
    static final int EVENTS = 24;
    static final List<String> ACCOUNTS = List.of("acme", "other");
    /** Four days after the first event. */
    static final int END = 4 * 86_400;

    private static final int PARTITIONS = 2;
    private static final int ENDPOINTS = 3;

    final Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> records = new HashMap<>();
    int epoch = 4;

    WrittenDeliveries(Random random) {
        for (Topic<?> topic : List.of(Topics.DELIVERIES, Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                records.put(new TopicPartition(topic.name(), partition), new ArrayList<>());
            }
        }
        for (int n = 0; n < EVENTS; n++) {
            write(event(n), random.nextInt(END - 86_400), random);
        }
    }

    static DeliveryRecords event(int n) {
        String url = "https://host" + n % ENDPOINTS + ".example/hook?n=" + n;
        return new DeliveryRecords(ACCOUNTS.get(n % 2), new UUID(0, n / 2), 1 + n % 2, url);
    }

    private void write(DeliveryRecords event, int second, Random random) {
        add(event, Topics.DELIVERIES, event.deliver(second));
        int attempts = random.nextInt(4);
        int at = second;
        for (int attempt = 1; attempt <= attempts; attempt++) {
            at += random.nextInt(20_000);
            boolean last = attempt == attempts;
            Outcome outcome = last ? DeliveryRecords.anyOutcome(random) : Outcome.FAILED;
            add(event, Topics.WEBHOOK_ATTEMPTS, event.attempt(attempt, outcome, at));
            if (last && (outcome == Outcome.GIVEN_UP || outcome == Outcome.GONE)) {
                add(event, Topics.WEBHOOK_DEAD_LETTERS, event.letter(attempts, at));
                if (random.nextBoolean()) {
                    add(event, Topics.DELIVERIES, event.resend(second, attempts, at + 1));
                    if (random.nextBoolean()) {
                        add(event, Topics.WEBHOOK_ATTEMPTS, event.attempt(attempts + 1, Outcome.DELIVERED, at + 2));
                    }
                }
            }
        }
    }

    private <V> void add(DeliveryRecords event, Topic<V> topic, V value) {
        int partition = Math.floorMod(event.deliver(0).endpoint().hashCode(), PARTITIONS);
        List<ConsumerRecord<String, byte[]>> all =
                records.computeIfAbsent(new TopicPartition(topic.name(), partition), p -> new ArrayList<>());
        all.add(DeliveriesOnDisk.record(topic, partition, all.size(), value, epoch));
    }

    CopiedTopics state(String identity) {
        Map<TopicPartition, Integer> epochs =
                records.keySet().stream().collect(Collectors.toMap(partition -> partition, partition -> epoch));
        return new CopiedTopics(identity, all(p -> 0L), all(p -> (long) p.size()), epochs);
    }

    Map<TopicPartition, Long> all(Function<List<ConsumerRecord<String, byte[]>>, Long> of) {
        return records.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, p -> of.apply(p.getValue())));
    }
}
