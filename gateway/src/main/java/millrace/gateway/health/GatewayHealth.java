package millrace.gateway.health;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import millrace.contracts.operation.ProcessState;
import millrace.runtime.management.Health;

/** The gateway's health checks for the management port, the same as on its public port. */
public final class GatewayHealth implements Health {
    private final GatewayReadiness readiness;
    private final TopicReaders readers;

    public GatewayHealth(GatewayReadiness readiness, TopicReaders readers) {
        this.readiness = readiness;
        this.readers = readers;
    }

    @Override
    public boolean alive() {
        return true;
    }

    @Override
    public Integer stateForm() {
        return ProcessState.FORM_OF_PARTS;
    }

    @Override
    public SequencedMap<String, Boolean> checks() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("kafka", readiness.kafkaAvailable());
        checks.put("read_model", readers.model().current());
        checks.put("accounts", readers.accounts().current());
        checks.put("disk", readiness.diskSpaceAvailable());
        checks.put("catalog", readiness.catalogAgrees());
        return checks;
    }

    @Override
    public boolean ready() {
        return readiness.ready();
    }

    @Override
    public void leave() {
        readiness.leave();
    }
}
