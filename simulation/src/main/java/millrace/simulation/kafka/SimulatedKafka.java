package millrace.simulation.kafka;

import java.util.List;
import millrace.runtime.KafkaClientFactory;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One simulated Kafka cluster. */
public final class SimulatedKafka {
    private final Scheduler scheduler;
    private final NetworkFaults network = new NetworkFaults();

    public SimulatedKafka(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public void createTopic(String name, int partitions) {
        throw new UnsupportedOperationException(name + partitions);
    }

    /** The clients of a process; for its threads only. */
    public KafkaClientFactory clientsOf(SimulatedProcess process) {
        throw new UnsupportedOperationException(process.name() + scheduler.nanos());
    }

    /** What a read_committed consumer would see of a partition now, from an offset on. */
    public List<ConsumerRecord<String, byte[]>> committed(String topic, int partition, long fromOffset) {
        throw new UnsupportedOperationException(topic + partition + fromOffset);
    }

    /** The offset after the last record or marker of a partition. */
    public long end(String topic, int partition) {
        throw new UnsupportedOperationException(topic + partition);
    }

    public NetworkFaults network() {
        return network;
    }
}
