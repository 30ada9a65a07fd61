package millrace.simulation.kafka;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.consumer.SimulatedConsumer;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.Connection;
import millrace.simulation.kafka.network.NetworkFaults;
import millrace.simulation.kafka.producer.SimulatedProducer;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** A simulated Kafka cluster. */
public final class SimulatedKafka {
    private final NetworkFaults network = new NetworkFaults();
    private final Broker broker;

    public SimulatedKafka(Scheduler scheduler) {
        this.broker = new Broker(
                scheduler,
                () -> network.markerDelay(scheduler.random()),
                () -> network.unavailableNanos(scheduler.nanos()));
    }

    public void createTopic(String name, int partitions) {
        broker.logs().createTopic(name, partitions);
    }

    /** Creates clients for the threads of a process. */
    public KafkaClientFactory clientsOf(SimulatedProcess process) {
        return new KafkaClientFactory() {
            @Override
            public Consumer<String, byte[]> consumer(Map<String, Object> config) {
                return new SimulatedConsumer(new Connection(process, network), broker, new ClientConfig(config));
            }

            @Override
            public Producer<String, byte[]> producer(Map<String, Object> config) {
                return new SimulatedProducer(new Connection(process, network), broker, new ClientConfig(config));
            }

            @Override
            public Admin admin(Map<String, Object> config) {
                return SimulatedAdmin.create(new Connection(process, network), broker);
            }
        };
    }

    /** The records of a partition that a read_committed consumer would see now, from an offset on. */
    public List<ConsumerRecord<String, byte[]>> committed(String topic, int partition, long fromOffset) {
        return broker.logs()
                .read(new TopicPartition(topic, partition), fromOffset, true, Integer.MAX_VALUE)
                .records();
    }

    /** The offset after the last record or marker of a partition. */
    public long end(String topic, int partition) {
        return broker.logs().end(new TopicPartition(topic, partition));
    }

    /** The last stable offset of a partition: where its first open transaction begins, or its end. */
    public long lastStable(String topic, int partition) {
        return broker.logs().lastStable(new TopicPartition(topic, partition));
    }

    /** A supplier of the {@link #end} of a partition, for frequent calls. */
    public LongSupplier ends(String topic, int partition) {
        return broker.logs().ends(new TopicPartition(topic, partition));
    }

    public NetworkFaults network() {
        return network;
    }
}
