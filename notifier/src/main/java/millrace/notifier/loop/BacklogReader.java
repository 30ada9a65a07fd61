package millrace.notifier.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads records of some endpoints from the source topic, on its own thread. One request reads until the endpoints have
 * enough, or at most about 20,000 records of any endpoint and 4 MiB of the wanted ones.
 */
final class BacklogReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    /** Records of any endpoint that one request reads, about. */
    static final int MAX_RECORDS = 20_000;

    private static final int MAX_BYTES = 4 << 20;
    /** So many polls without a record end the read, for example while Kafka is unavailable. */
    private static final int MAX_EMPTY = 20;

    private final Mailbox mailbox;
    private final Supplier<? extends Consumer<String, byte[]>> readers;
    private final LinkedBlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final Thread thread;

    /**
     * What an endpoint wants.
     *
     * @param from first offset
     * @param most number of records
     */
    record Wanted(long from, int most) {}

    /**
     * @param from first offset
     * @param end offset that is not read any more; the partition has records up to it
     * @param wanted by endpoint
     */
    record Request(OwnedPartition partition, long from, long end, Map<String, Wanted> wanted) {}

    /** @param readers creates a consumer that is in no group */
    BacklogReader(Mailbox mailbox, Supplier<? extends Consumer<String, byte[]>> readers, ServiceThreads threads) {
        this.mailbox = mailbox;
        this.readers = readers;
        this.thread = threads.virtual().name("backlogs").start(this::run);
    }

    /** Does not block. The records arrive in the mailbox as {@link LoopMessage.BacklogRead}. */
    void read(Request request) {
        requests.add(request);
    }

    private void run() {
        try {
            Request first = requests.take();
            try (Consumer<String, byte[]> reader = readers.get()) {
                for (Request request = first; ; request = requests.take()) {
                    mailbox.put(read(reader, request));
                }
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt(); // the reader is closed
        } catch (RuntimeException | Error e) {
            mailbox.put(new LoopMessage.Failed(e));
        }
    }

    private static LoopMessage.BacklogRead read(Consumer<String, byte[]> reader, Request request) {
        TopicPartition source = request.partition().source();
        reader.assign(List.of(source));
        reader.seek(source, request.from());
        var found = new Found(request.wanted());
        int seen = 0;
        int empty = 0;
        long position = request.from();
        while (position < request.end() && seen < MAX_RECORDS && empty < MAX_EMPTY && !found.enough()) {
            ConsumerRecords<String, byte[]> records = reader.poll(POLL);
            for (ConsumerRecord<String, byte[]> record : records) {
                if (record.offset() < request.end()) {
                    found.add(record);
                }
            }
            seen += records.count();
            empty = records.isEmpty() ? empty + 1 : 0;
            position = reader.position(source);
        }
        return new LoopMessage.BacklogRead(
                request.partition(), found.records, found.reached(Math.min(position, request.end())));
    }

    /** The records that were found, and for each endpoint how far. */
    private static final class Found {
        private final Map<String, Wanted> wanted;
        private final List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        private final Map<String, Integer> numbers = new HashMap<>();
        /** By endpoint that has enough, the offset of its first record that was left out. */
        private final Map<String, Long> leftOut = new HashMap<>();

        private long bytes;

        private Found(Map<String, Wanted> wanted) {
            this.wanted = wanted;
        }

        private void add(ConsumerRecord<String, byte[]> record) {
            Wanted one = record.key() == null ? null : wanted.get(record.key());
            if (one == null || record.offset() < one.from() || record.value() == null) {
                return;
            }
            if (numbers.merge(record.key(), 1, Integer::sum) > one.most()) {
                leftOut.putIfAbsent(record.key(), record.offset());
            } else {
                records.add(record);
                bytes += record.value().length;
            }
        }

        private boolean enough() {
            return bytes >= MAX_BYTES || leftOut.size() == wanted.size();
        }

        private Map<String, Long> reached(long position) {
            Map<String, Long> reached = new LinkedHashMap<>();
            wanted.keySet().forEach(key -> reached.put(key, leftOut.getOrDefault(key, position)));
            return reached;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
