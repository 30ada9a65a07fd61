package millrace.processor.data.examples;

import millrace.catalog.Catalog;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.DatasetVersion;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.WarehouseException;
import millrace.runtime.settings.KafkaSettings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes an example query, the facts and the versions of each dataset whose current version or list of versions has
 * changed since the last call, or whose facts have become known. All processors do this and publish the same. One
 * thread publishes; any may ask it to.
 */
public final class ExamplePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ExamplePublisher.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final Catalog catalog;
    private final DataVersions versions;
    private final ExampleFinder finder;
    private final VersionFacts facts;
    private final KafkaSettings kafka;
    /** The examples of the last call, by dataset. */
    private final Map<String, DatasetExample> seen = new HashMap<>();

    private final AtomicBoolean asked = new AtomicBoolean();

    public ExamplePublisher(
            Catalog catalog, DataVersions versions, TableReader tables, VersionFacts facts, KafkaSettings kafka) {
        this.catalog = catalog;
        this.versions = versions;
        this.finder = new ExampleFinder(tables);
        this.facts = facts;
        this.kafka = kafka;
    }

    /** Never throws. An example that cannot be written now is written at the next call. */
    public void publish() {
        try {
            List<DatasetExample> examples = changed();
            if (!examples.isEmpty()) {
                write(examples);
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            seen.clear();
            LOG.warn("examples not published, the next attempt follows error={}", e.toString());
        } catch (RuntimeException e) {
            LOG.warn("examples not found", e);
        }
    }

    /** As {@link #publish}, where facts have become known since the last call, or somebody asked for it. */
    public void publishChanged() {
        boolean wanted = asked.getAndSet(false);
        if (facts.takeBuilt() || wanted) {
            publish();
        }
    }

    /** Makes the next {@link #publishChanged} publish. */
    public void publishSoon() {
        asked.set(true);
    }

    private List<DatasetExample> changed() {
        List<DatasetExample> examples = new ArrayList<>();
        for (Dataset dataset : catalog.datasets()) {
            String version = current(dataset);
            if (version != null) {
                example(dataset, version).ifPresent(examples::add);
            }
        }
        return examples;
    }

    /** Null where the dataset has no data, or its current version cannot be read, which others tell. */
    private @Nullable String current(Dataset dataset) {
        try {
            return versions.current(dataset.name()).orElse(null);
        } catch (UncheckedIOException e) {
            LOG.debug("no example dataset={}", dataset.name(), e);
            return null;
        }
    }

    /** The example to publish; empty where the last one is still right. */
    private Optional<DatasetExample> example(Dataset dataset, String version) {
        DatasetExample newest = seen.get(dataset.name());
        DatasetExample last = newest != null && newest.version().equals(version) ? newest : null;
        DatasetFacts known = facts.of(dataset, version).orElse(null);
        List<DatasetVersion> all = versions(dataset.name(), version);
        Instant switchedAt = switchedAt(dataset.name(), version);
        if (last != null
                && Objects.equals(last.facts(), known)
                && Objects.equals(last.versions(), all)
                && Objects.equals(last.switchedAt(), switchedAt)) {
            return Optional.empty();
        }
        try {
            DatasetExample example = last == null
                    ? found(dataset, version, known, all, switchedAt)
                    : new DatasetExample(
                            dataset.name(),
                            version,
                            last.query(),
                            known,
                            all,
                            access(dataset),
                            switchedAt,
                            last.absentMetrics());
            seen.put(dataset.name(), example);
            return Optional.of(example);
        } catch (WarehouseException e) {
            LOG.info("no example dataset={} error={}", dataset.name(), e.getMessage());
            if (e.reason() == WarehouseException.Reason.UNAVAILABLE) {
                return Optional.empty();
            }
            var without =
                    new DatasetExample(dataset.name(), version, null, known, all, access(dataset), switchedAt, null);
            seen.put(dataset.name(), without);
            return Optional.of(without);
        }
    }

    private DatasetExample found(
            Dataset dataset,
            String version,
            @Nullable DatasetFacts known,
            @Nullable List<DatasetVersion> all,
            @Nullable Instant switchedAt)
            throws WarehouseException {
        List<String> absent = finder.absentMetrics(dataset, version);
        ReportQuery query = finder.find(dataset, version, absent).orElse(null);
        return new DatasetExample(dataset.name(), version, query, known, all, access(dataset), switchedAt, absent);
    }

    /** In the milliseconds of records, so that what was published compares with what is read. */
    private @Nullable Instant switchedAt(String dataset, String version) {
        return versions.switchedAt(dataset, version)
                .map(at -> at.truncatedTo(ChronoUnit.MILLIS))
                .orElse(null);
    }

    /** What an account needs for the metrics that need least. */
    private static List<List<String>> access(Dataset dataset) {
        Set<Set<CapabilityCategory>> needed = dataset.metrics().stream()
                .map(metric -> Set.copyOf(metric.categories()))
                .collect(Collectors.toSet());
        return needed.stream()
                .filter(all -> needed.stream().noneMatch(less -> less.size() < all.size() && all.containsAll(less)))
                .map(all -> all.stream().sorted().map(CapabilityCategory::word).toList())
                .sorted(Comparator.comparing(words -> String.join(" ", words)))
                .toList();
    }

    /** The versions whose names come last, which are the newest where names are times; the current one is among them. */
    private @Nullable List<DatasetVersion> versions(String dataset, String current) {
        if (!versions.switchable()) {
            return null;
        }
        try {
            List<String> names = versions.versions(dataset).stream().sorted().toList();
            int skipped = Math.max(0, names.size() - DatasetExample.MOST_VERSIONS);
            List<String> newest = new ArrayList<>(names.subList(skipped, names.size()));
            if (!newest.contains(current) && names.contains(current)) {
                newest.set(0, current);
            }
            return newest.stream()
                    .map(name -> new DatasetVersion(
                            name, versions.updatedAt(dataset, name).orElse(null)))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            LOG.info("versions not listed dataset={} error={}", dataset, e.toString());
            return null;
        }
    }

    private void write(List<DatasetExample> examples)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, Object> config = kafka.producerConfig("examples");
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT.toMillis());
        Producer<String, byte[]> producer =
                new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
        try {
            for (DatasetExample example : examples) {
                var topic = Topics.DATASET_EXAMPLES;
                producer.send(new ProducerRecord<>(topic.name(), example.dataset(), topic.encode(example)))
                        .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            producer.close(CLOSING);
        }
    }
}
