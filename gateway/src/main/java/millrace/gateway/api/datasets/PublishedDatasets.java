package millrace.gateway.api.datasets;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Keeps what processors have written to Kafka about the current version of each dataset: an example
 * query that finds rows, and facts.
 */
public final class PublishedDatasets {
    private final Map<String, DatasetExample> datasets = new ConcurrentHashMap<>();
    private final AtomicLong revision = new AtomicLong();
    private final FoldedOffsets foldedOffsets;
    private final Consumer<DatasetExample> listener;

    /**
     * @param tailer is not started yet
     * @param listener called with each record, on the thread that reads the topic
     */
    public PublishedDatasets(TopicTailer tailer, Consumer<DatasetExample> listener) {
        this.foldedOffsets = tailer.foldedOffsets();
        this.listener = listener;
        var unused = tailer.add(Topics.DATASET_EXAMPLES, TopicTailer.Beginning.OLDEST, this::fold);
    }

    /** The example of a dataset; empty where no processor has written one yet, or no row has a metric. */
    public Optional<ReportQuery> example(String dataset) {
        DatasetExample example = datasets.get(dataset);
        return example == null ? Optional.empty() : Optional.ofNullable(example.query());
    }

    /** The current version of a dataset and its facts; empty where they are not known yet. */
    public Optional<Version> version(String dataset) {
        DatasetExample example = datasets.get(dataset);
        if (example == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(example.facts())
                .map(facts -> new Version(
                        example.version(), facts, Objects.requireNonNullElse(example.absentMetrics(), List.of())));
    }

    /** First day of the last period in the current version; empty where there is none, or facts are not known yet. */
    public Optional<LocalDate> lastPeriod(String dataset, Granularity granularity) {
        return version(dataset)
                .flatMap(version -> version.facts().periods(granularity))
                .map(DatasetFacts.Span::last);
    }

    /** All that the processors have written about a dataset; empty before they have. */
    public Optional<DatasetExample> current(String dataset) {
        return Optional.ofNullable(datasets.get(dataset));
    }

    /** Blocks until the version is the current one; returns false where that takes longer. */
    public boolean awaitCurrent(String dataset, String version, Duration timeout) throws InterruptedException {
        return foldedOffsets.await(
                () -> current(dataset).filter(c -> c.version().equals(version)).isPresent(), timeout);
    }

    /**
     * A version of a dataset.
     *
     * @param absentMetrics metrics that it has no column for
     */
    public record Version(String name, DatasetFacts facts, List<String> absentMetrics) {}

    /** A number that changes with each record. */
    public long revision() {
        return revision.get();
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        if (record.value() != null) {
            DatasetExample example = Topics.DATASET_EXAMPLES.decode(record.value());
            datasets.put(example.dataset(), example);
            revision.incrementAndGet();
            listener.accept(example);
        }
    }
}
