package millrace.gateway.copy.activity;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.common.TopicPartition;

/**
 * How far somebody has read: for each partition of the feed's topics the offset that follows. Valid
 * at every gateway of a cluster.
 *
 * @param topics tells these topics from others of the same names
 */
public record Positions(int topics, Map<TopicPartition, Long> next) {
    /** The topics that events come from. */
    public static final List<Topic<?>> TOPICS =
            List.of(Topics.REPORT_EVENTS, Topics.CREDIT_LEDGER, Topics.WEBHOOK_ATTEMPTS, Topics.DATASET_VERSIONS);

    private static final byte FORM = 2;
    /** Of earlier builds: without the last topic. */
    private static final byte FORM_BEFORE = 1;

    /** Bytes of an offset: 7 bits each. */
    private static final int LONGEST = 9;

    private static final int MOST_PARTITIONS = 10_000;

    public Positions {
        next = Map.copyOf(next);
    }

    /** The offset that follows in the partition; 0 in one that did not exist. */
    public long of(TopicPartition partition) {
        return next.getOrDefault(partition, 0L);
    }

    /** The positions, at the end of topics of which they say nothing. */
    public Positions completed(Positions end) {
        Set<String> known = next.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet());
        Map<TopicPartition, Long> all = new HashMap<>(next);
        end.next.forEach((partition, offset) -> {
            if (!known.contains(partition.topic())) {
                all.put(partition, offset);
            }
        });
        return new Positions(topics, all);
    }

    /** The positions after an event was read. */
    public Positions after(ActivityEvent event) {
        Map<TopicPartition, Long> moved = new HashMap<>(next);
        moved.merge(event.place().partition(), event.place().offset() + 1, Math::max);
        return new Positions(topics, moved);
    }

    /** An opaque text for URLs and headers. */
    public String text() {
        ByteBuffer out = ByteBuffer.allocate(1 + Integer.BYTES + (TOPICS.size() + next.size()) * LONGEST);
        out.put(FORM).putInt(topics);
        for (Topic<?> topic : TOPICS) {
            int partitions = (int) next.keySet().stream()
                    .filter(p -> p.topic().equals(topic.name()))
                    .count();
            putNumber(out, partitions);
            for (int number = 0; number < partitions; number++) {
                putNumber(out, of(new TopicPartition(topic.name(), number)));
            }
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Empty where {@link #text} has not made the text. */
    public static Optional<Positions> parse(String text) {
        try {
            ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            byte form = in.get();
            if (form != FORM && form != FORM_BEFORE) {
                return Optional.empty();
            }
            int topics = in.getInt();
            Map<TopicPartition, Long> next = new HashMap<>();
            for (Topic<?> topic : form == FORM ? TOPICS : TOPICS.subList(0, TOPICS.size() - 1)) {
                long partitions = number(in);
                if (partitions > MOST_PARTITIONS) {
                    return Optional.empty();
                }
                for (int number = 0; number < partitions; number++) {
                    next.put(new TopicPartition(topic.name(), number), number(in));
                }
            }
            return in.hasRemaining() ? Optional.empty() : Optional.of(new Positions(topics, next));
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private static void putNumber(ByteBuffer out, long number) {
        long rest = number;
        while (rest > 0x7f) {
            out.put((byte) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < 7 * LONGEST; shift += 7) {
            byte some = in.get();
            number |= (long) (some & 0x7f) << shift;
            if (some >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number of more than " + LONGEST + " bytes");
    }
}
