package millrace.processor.bootstrap;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import millrace.processor.ledger.state.StateFormat;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.rendering.tasks.RenderWorkers;
import millrace.processor.warehouse.DataVersions;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.management.Health;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.streams.KafkaStreams;

/** The health of ledger, workers, Kafka, disks, catalog and warehouse. */
final class ProcessorHealth implements Health {
    private final LedgerStreams ledger;
    private final RenderWorkers workers;
    private final KafkaAvailability probe;
    private final DiskSpaceMonitor disk;
    private final CatalogAgreement catalogs;
    private final DataVersions versions;

    ProcessorHealth(
            LedgerStreams ledger,
            RenderWorkers workers,
            KafkaAvailability probe,
            DiskSpaceMonitor disk,
            CatalogAgreement catalogs,
            DataVersions versions) {
        this.versions = versions;
        this.catalogs = catalogs;
        this.ledger = ledger;
        this.workers = workers;
        this.probe = probe;
        this.disk = disk;
    }

    @Override
    public boolean alive() {
        return ledger.alive() && workers.alive();
    }

    @Override
    public Integer stateForm() {
        return StateFormat.NEWEST;
    }

    @Override
    public SequencedMap<String, Boolean> checks() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("kafka", probe.isAvailable());
        checks.put("ledger", ledger.state() == KafkaStreams.State.RUNNING);
        checks.put("workers", workers.ready());
        checks.put("disk", disk.hasRoomForReports());
        checks.put("catalog", catalogs.agrees());
        checks.put("warehouse", versions.readable());
        return checks;
    }
}
