package millrace.gateway.health;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import millrace.runtime.management.Health;

/** How the gateway is, by the same words on both of its ports. */
public final class GatewayHealth implements Health {
    private final GatewayReadiness watch;
    private final TopicReaders readers;

    public GatewayHealth(GatewayReadiness watch, TopicReaders readers) {
        this.watch = watch;
        this.readers = readers;
    }

    @Override
    public boolean alive() {
        return true;
    }

    @Override
    public SequencedMap<String, Boolean> checks() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("kafka", watch.kafkaThere());
        checks.put("read_model", readers.model().current());
        checks.put("accounts", readers.accounts().current());
        checks.put("disk", watch.diskEnough());
        return checks;
    }

    @Override
    public boolean ready() {
        return watch.ready();
    }

    @Override
    public void leave() {
        watch.leave();
    }
}
