package millrace.processor;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import millrace.processor.rendering.RenderWorkers;
import millrace.runtime.DiskSpace;
import millrace.runtime.Health;
import millrace.runtime.KafkaProbe;
import org.apache.kafka.streams.KafkaStreams;

/** How the ledger and the workers are. */
final class ProcessorHealth implements Health {
    private final StreamsRun ledger;
    private final RenderWorkers workers;
    private final KafkaProbe probe;
    private final DiskSpace disk;

    ProcessorHealth(StreamsRun ledger, RenderWorkers workers, KafkaProbe probe, DiskSpace disk) {
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
    public SequencedMap<String, Boolean> checks() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("kafka", probe.there());
        checks.put("ledger", ledger.state() == KafkaStreams.State.RUNNING);
        checks.put("workers", workers.ready());
        checks.put("disk", disk.enough());
        return checks;
    }
}
