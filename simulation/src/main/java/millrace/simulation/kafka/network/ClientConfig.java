package millrace.simulation.kafka.network;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.jspecify.annotations.Nullable;

/** The part of a client's Kafka configuration that the simulation supports; times are nanoseconds. */
public record ClientConfig(Map<String, Object> values) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    public @Nullable String text(String key) {
        Object value = values.get(key);
        return value == null ? null : value.toString();
    }

    public String text(String key, String otherwise) {
        String value = text(key);
        return value == null ? otherwise : value;
    }

    public long number(String key, long otherwise) {
        String value = text(key);
        return value == null ? otherwise : Long.parseLong(value);
    }

    /** The nanoseconds of a time that is configured in milliseconds. */
    public long nanos(String key, long otherwiseMillis) {
        long millis = number(key, otherwiseMillis);
        return millis > Long.MAX_VALUE / NANOS_PER_MILLI ? Long.MAX_VALUE : millis * NANOS_PER_MILLI;
    }

    public boolean readCommitted() {
        return text("isolation.level", "read_uncommitted").equals("read_committed");
    }

    /** The first configured assignor. */
    public ConsumerPartitionAssignor assignor() {
        Object value = values.getOrDefault("partition.assignment.strategy", RangeAssignor.class);
        Object first = value instanceof List<?> list ? list.getFirst() : value;
        try {
            Class<?> type = first instanceof Class<?> given
                    ? given
                    : Class.forName(first.toString().split(",", 2)[0].strip());
            return (ConsumerPartitionAssignor) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("partition.assignment.strategy: " + value, e);
        }
    }
}
