package millrace.simulation.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.processor.ledger.streams.ReportTopology;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The ledger in the model of Kafka Streams. */
final class ModelLedger implements ContractLedger {
    private static final KafkaSettings SETTINGS = KafkaSettings.local("simulated:9092", 1, "millrace-1");

    private final Scheduler scheduler = new Scheduler(1);
    private final SimulatedKafka kafka = new SimulatedKafka(scheduler);
    private SimulatedProcess process = scheduler.process("none");
    private LedgerProcess ledger =
            new LedgerProcess(process, kafka, SETTINGS, transaction -> null, LocalWorkers.NONE, error -> {});

    ModelLedger() {
        kafka.createTopic(Topics.ACCOUNT_COMMANDS.name(), 1);
        ReportTopology.outputs().forEach(topic -> kafka.createTopic(topic.name(), 1));
        LedgerProcess.createTopics(kafka, ContractLedger.steps(ModelLedger::none, scheduler::now, 0, () -> {}), 1);
    }

    private static LedgerTransaction none() {
        throw new IllegalStateException("no step runs");
    }

    @Override
    public void start(int crashAfter) {
        SimulatedProcess started = scheduler.process("ledger");
        process = started;
        ledger = new LedgerProcess(
                started,
                kafka,
                SETTINGS,
                transaction -> ContractLedger.steps(transaction, scheduler::now, crashAfter, started::kill),
                LocalWorkers.NONE,
                error -> {
                    throw new IllegalStateException(error);
                });
        ledger.start();
    }

    @Override
    public void send(List<LedgerContractCommands.Command> commands) {
        SimulatedProcess client = scheduler.process("client");
        var unused = client.threads().platform().start(() -> {
            Producer<String, byte[]> producer = kafka.clientsOf(client).producer(SETTINGS.producerConfig("test"));
            commands.forEach(command -> {
                var ignored = producer.send(
                        new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), command.account(), command.bytes()));
            });
        });
    }

    @Override
    public void awaitCrash() {
        assertThat(scheduler.run(() -> !process.alive(), Duration.ofMinutes(1))).isTrue();
    }

    @Override
    public void awaitCommitted(int commands) {
        var unused = scheduler.run(() -> false, Duration.ofSeconds(20));
    }

    @Override
    public void stop() {
        ledger.stop();
        assertThat(scheduler.run(ledger::ended, Duration.ofMinutes(1))).isTrue();
    }

    @Override
    public List<ConsumerRecord<String, byte[]>> committed(String topic) {
        return kafka.committed(topic, 0, 0);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
