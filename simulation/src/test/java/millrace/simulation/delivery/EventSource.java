package millrace.simulation.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Stands in for the ledger: produces the events of reports at their times. */
final class EventSource {
    private static final String TRACE = "00-00000000000000000000000000000001-0000000000000001-00";

    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final Producer<String, byte[]> producer;
    private final List<Planned> plan = new ArrayList<>();
    private int planned;
    private final Map<String, Produced> produced = new LinkedHashMap<>();

    private record Planned(long nanos, Host host, UUID report, int sequence) {}

    /**
     * A receiver's host.
     *
     * @param partition that its endpoint belongs to
     * @param ownUrls whether each report has a URL of its own
     */
    record Host(String name, int partition, String account, boolean ownUrls) {
        Host(String name, int partition) {
            this(name, partition, "acme", false);
        }
    }

    /** @param nanos simulated time of the acknowledgement */
    record Produced(Host host, long nanos) {}

    EventSource(Scheduler scheduler, SimulatedKafka kafka) {
        this.scheduler = scheduler;
        this.process = scheduler.process("ledger");
        this.producer = kafka.clientsOf(process)
                .producer(KafkaSettings.local("simulated:9092", 1, "ledger").producerConfig("deliveries"));
    }

    /** Plans the three events of a report, with pauses of up to {@code pauses} between them. */
    void report(Host host, Duration at, Duration pauses) {
        UUID report = new UUID(scheduler.random().nextLong(), scheduler.random().nextLong());
        long nanos = scheduler.nanos() + at.toNanos();
        for (int sequence = 1; sequence <= 3; sequence++) {
            planned++;
            plan.add(new Planned(nanos, host, report, sequence));
            nanos += scheduler.random().nextLong(pauses.toNanos() + 1);
        }
    }

    /** Begins to produce the events that were planned since the last call. */
    void start() {
        List<Planned> next =
                plan.stream().sorted(Comparator.comparingLong(Planned::nanos)).toList();
        plan.clear();
        process.threads().platform().name("ledger").start(() -> run(next));
    }

    private void run(List<Planned> events) {
        for (Planned next : events) {
            process.threads().parkNanos(next.nanos() - scheduler.nanos());
            send(next);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback has the result
    private void send(Planned planned) {
        String id = planned.report() + "." + planned.sequence();
        var event = new Deliver(
                id,
                planned.host().account(),
                "http://" + planned.host().name() + (planned.host().ownUrls() ? "/" + planned.report() : "/hook"),
                planned.report(),
                planned.sequence(),
                scheduler.now(),
                "{}",
                TRACE);
        var record = new ProducerRecord<>(
                Topics.DELIVERIES.name(),
                planned.host().partition(),
                event.endpoint(),
                Topics.DELIVERIES.encode(event));
        producer.send(record, (metadata, error) -> {
            if (error == null) {
                produced.put(id, new Produced(planned.host(), scheduler.nanos()));
            }
        });
    }

    /** The acknowledged events by id. */
    Map<String, Produced> produced() {
        return produced;
    }

    /** Whether all planned events were acknowledged. */
    boolean finished() {
        return produced.size() == planned;
    }
}
