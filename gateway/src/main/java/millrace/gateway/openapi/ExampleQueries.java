package millrace.gateway.openapi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an example query for each dataset that finds rows in the current data. Processors write
 * them to Kafka.
 */
public final class ExampleQueries implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExampleQueries.class);

    private final Map<String, ReportQuery> queries = new ConcurrentHashMap<>();
    private final AtomicLong revision = new AtomicLong();
    private final TopicTailer tailer;

    public ExampleQueries(KafkaSettings kafka, FoldedOffsets foldedOffsets) {
        var plan = new TopicTailer.Plan(
                List.of(Topics.DATASET_EXAMPLES),
                List.of(),
                (consumer, partitions) -> consumer.beginningOffsets(partitions));
        this.tailer = new TopicTailer(kafka, "dataset-examples", plan, foldedOffsets, this::fold);
    }

    public void start() {
        tailer.start();
    }

    /** Empty where no processor has written one yet. */
    Optional<ReportQuery> of(String dataset) {
        return Optional.ofNullable(queries.get(dataset));
    }

    /** A number that changes with each example. */
    long revision() {
        return revision.get();
    }

    @Override
    public void close() {
        tailer.close();
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        try {
            if (record.value() != null) {
                DatasetExample example = Topics.DATASET_EXAMPLES.decode(record.value());
                queries.put(example.dataset(), example.query());
                revision.incrementAndGet();
            }
        } catch (SerializationException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }
}
