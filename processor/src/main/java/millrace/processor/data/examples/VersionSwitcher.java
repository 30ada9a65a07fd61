package millrace.processor.data.examples;

import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.topics.Topics;
import millrace.processor.warehouse.duckdb.ImportFolder;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.settings.KafkaSettings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes versions current that operators ask for while this process runs. All processors do so; with one folder for
 * all, the first one does it and the others find it done.
 */
public final class VersionSwitcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VersionSwitcher.class);

    private final Path root;
    private final WarehouseFolder folder;
    private final Runnable switched;
    private final TopicTailer tailer;

    /** What became of a switch. */
    enum Outcome {
        SWITCHED,
        /** The version is current already. */
        DONE_BEFORE,
        /** Another version is current than the operator saw. */
        OUTDATED,
        MISSING,
        IMPORT_RUNS
    }

    /** @param switched called after a switch, on the thread that reads the topic */
    public VersionSwitcher(KafkaSettings kafka, Path root, WarehouseFolder folder, Runnable switched) {
        this.root = root;
        this.folder = folder;
        this.switched = switched;
        this.tailer = new TopicTailer(kafka, "version-switches", new FoldedOffsets());
        // What was asked for earlier has been done by others, or is not wanted any more.
        var unused = tailer.add(Topics.VERSION_SWITCHES, TopicTailer.Beginning.END, this::fold);
    }

    public void start() {
        tailer.start();
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        try {
            if (record.value() != null) {
                VersionSwitch wanted = Topics.VERSION_SWITCHES.decode(record.value());
                Outcome outcome = perform(wanted);
                LOG.info(
                        "version switch dataset={} from={} to={} actor={} reason={} outcome={}",
                        wanted.dataset(),
                        wanted.from(),
                        wanted.to(),
                        wanted.actor(),
                        wanted.reason(),
                        outcome);
                switched.run();
            }
        } catch (SerializationException e) {
            UnreadableRecord.skipped(LOG, record, e);
        } catch (IOException | RuntimeException e) {
            LOG.warn("version switch failed offset={}", record.offset(), e);
        }
    }

    Outcome perform(VersionSwitch wanted) throws IOException {
        String dataset = wanted.dataset();
        if (!Files.isRegularFile(folder.file(dataset, wanted.to()))) {
            return Outcome.MISSING;
        }
        // An import of the dataset would make its own version current a moment later.
        Optional<ImportFolder> lock = ImportFolder.open(root, dataset);
        if (lock.isEmpty()) {
            return Outcome.IMPORT_RUNS;
        }
        try (ImportFolder held = lock.get()) {
            Optional<Outcome> settled = settled(wanted);
            if (settled.isPresent()) {
                return settled.get();
            }
            LOG.debug("switching version dataset={} lock={}", dataset, held.path());
            folder.switchTo(dataset, wanted.to());
            return Outcome.SWITCHED;
        }
    }

    /** What there is to say without a switch. */
    private Optional<Outcome> settled(VersionSwitch wanted) {
        try {
            if (folder.isCurrent(wanted.dataset(), wanted.to())) {
                return Optional.of(Outcome.DONE_BEFORE);
            }
            return folder.isCurrent(wanted.dataset(), wanted.from()) ? Optional.empty() : Optional.of(Outcome.OUTDATED);
        } catch (UncheckedIOException e) {
            // The pointer is damaged, and a switch mends it.
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        tailer.close();
    }
}
