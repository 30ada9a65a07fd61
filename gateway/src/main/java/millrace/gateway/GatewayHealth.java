package millrace.gateway;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import millrace.gateway.model.ModelReader;
import millrace.runtime.Health;

/** How the gateway is, by the same words on both of its ports. */
final class GatewayHealth implements Health {
    private final KafkaWatch watch;
    private final ModelReader reader;

    GatewayHealth(KafkaWatch watch, ModelReader reader) {
        this.watch = watch;
        this.reader = reader;
    }

    @Override
    public boolean alive() {
        return true;
    }

    @Override
    public SequencedMap<String, Boolean> checks() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("kafka", watch.kafkaThere());
        checks.put("read_model", reader.current());
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
