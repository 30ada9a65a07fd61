package millrace.bench.ledger;

import millrace.contracts.topics.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology that the ledger is compared with: puts each command into one store unchanged, and
 * forwards it.
 */
final class CopyTopology {
    private static final String STORE = "copies";

    private CopyTopology() {}

    static Topology of() {
        return new Topology()
                .addSource(
                        "account-commands",
                        new StringDeserializer(),
                        new ByteArrayDeserializer(),
                        Topics.ACCOUNT_COMMANDS.name())
                .addProcessor("copy", Copy::new, "account-commands")
                .addStateStore(
                        Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray()),
                        "copy")
                .addSink(
                        "copied",
                        Topics.COMMAND_DEAD_LETTERS.name(),
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        "copy");
    }

    private static final class Copy implements Processor<String, byte[], String, byte[]> {
        private ProcessorContext<String, byte[]> context;
        private KeyValueStore<String, byte[]> store;

        @SuppressWarnings("NullAway.Init")
        Copy() {}

        @Override
        public void init(ProcessorContext<String, byte[]> context) {
            this.context = context;
            this.store = context.getStateStore(STORE);
        }

        @Override
        public void process(Record<String, byte[]> command) {
            long offset = context.recordMetadata().map(RecordMetadata::offset).orElse(0L);
            store.put(command.key() + "/" + offset, command.value());
            context.forward(command);
        }
    }
}
