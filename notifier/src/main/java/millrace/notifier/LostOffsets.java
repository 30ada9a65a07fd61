package millrace.notifier;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.contracts.Topic;
import millrace.contracts.Topics;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Tells partitions that no notifier has served from those whose committed offset Kafka has forgotten, as it does where no member of
 * the group runs for {@code offsets.retention.minutes}. To begin those anew would send everything that Kafka still has once more.
 */
final class LostOffsets {
    private static final Duration POLL = Duration.ofMillis(100);
    /** What is written in the transaction that commits the offset. */
    private static final List<Topic<?>> TRACES = List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS);

    private LostOffsets() {}

    /**
     * Looks for traces of an earlier owner.
     *
     * @param without partitions of the deliveries that have no committed offset
     * @throws KafkaException where one of them was served before; says what to do
     */
    static void check(Consumer<String, byte[]> reader, Collection<Integer> without) {
        List<TopicPartition> traces = TRACES.stream()
                .flatMap(topic -> without.stream().map(number -> new TopicPartition(topic.name(), number)))
                .toList();
        Set<Integer> served = new TreeSet<>();
        Map<TopicPartition, Long> beginnings = reader.beginningOffsets(traces);
        Map<TopicPartition, Long> ends = reader.endOffsets(traces);
        Set<TopicPartition> unclear = new HashSet<>();
        for (TopicPartition trace : traces) {
            if (beginnings.getOrDefault(trace, 0L) > 0) {
                served.add(trace.partition()); // so much that some of it has gone
            } else if (ends.getOrDefault(trace, 0L) > 0) {
                unclear.add(trace);
            }
        }
        served.addAll(withRecords(reader, unclear, ends));
        if (!served.isEmpty()) {
            String numbers =
                    String.join(",", served.stream().map(String::valueOf).toList());
            throw new KafkaException("Kafka has forgotten how far the notifiers had come in " + Topics.DELIVERIES.name()
                    + ", partitions " + numbers
                    + ": none has run for longer than its offsets.retention.minutes. Say where to go on"
                    + " with kafka-consumer-groups.sh --reset-offsets --execute --group " + Clients.GROUP + " --topic "
                    + Topics.DELIVERIES.name() + ":" + numbers
                    + " and --to-latest (what was not sent by then is not sent), or --to-datetime, or --to-earliest (all that"
                    + " Kafka has is sent once more)");
        }
    }

    /** Numbers of those that have a record; a transaction that was aborted leaves none. */
    private static Set<Integer> withRecords(
            Consumer<String, byte[]> reader, Set<TopicPartition> partitions, Map<TopicPartition, Long> ends) {
        Set<Integer> found = new HashSet<>();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        while (partitions.stream()
                .anyMatch(p -> !found.contains(p.partition()) && reader.position(p) < ends.getOrDefault(p, 0L))) {
            reader.poll(POLL).partitions().forEach(p -> found.add(p.partition()));
        }
        return found;
    }
}
