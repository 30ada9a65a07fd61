package millrace.processor.repartition;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Sums of records: of each partition one that depends on their order, of all together one that does not. Two topics
 * with equal sums hold the same keys, values, headers and times. Not thread-safe.
 */
final class RecordSums {
    private static final long PRIME = 0x9E3779B97F4A7C15L;

    private final CRC32C first = new CRC32C();
    private final CRC32 second = new CRC32();
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    private final Map<Integer, Ordered> partitions = new HashMap<>();
    private long records;
    private long bytes;
    private long sum;

    /** What a partition holds, in its order. */
    record Ordered(long records, long sum) {
        private static final Ordered NOTHING = new Ordered(0, 0);

        private Ordered and(long record) {
            return new Ordered(records + 1, (Long.rotateLeft(sum, 5) ^ record) * PRIME);
        }
    }

    void add(int partition, byte @Nullable [] key, byte @Nullable [] value, Headers headers, long timestamp) {
        first.reset();
        second.reset();
        put(timestamp);
        put(key);
        put(value);
        for (Header header : headers) {
            put(header.key().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            put(header.value());
        }
        long record = ((first.getValue() << 32) | second.getValue()) * PRIME;
        records++;
        bytes += length(key) + length(value);
        sum += record ^ (record >>> 29);
        partitions.put(partition, of(partition).and(record));
    }

    private void put(byte @Nullable [] part) {
        put(part == null ? -1 : part.length);
        if (part != null) {
            update(first, part);
            update(second, part);
        }
    }

    private void put(long value) {
        update(first, number.clear().putLong(value).array());
        update(second, number.array());
    }

    private static void update(Checksum checksum, byte[] part) {
        checksum.update(part, 0, part.length);
    }

    private static int length(byte @Nullable [] part) {
        return part == null ? 0 : part.length;
    }

    long records() {
        return records;
    }

    /** Of keys and values. */
    long bytes() {
        return bytes;
    }

    /** The same for the same records in any order and in any partitions. */
    long sum() {
        return sum;
    }

    Ordered of(int partition) {
        return partitions.getOrDefault(partition, Ordered.NOTHING);
    }
}
