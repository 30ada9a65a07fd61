package millrace.simulation.kafka;

import org.junit.jupiter.api.AfterEach;

/** On the model. */
class TransactionContractTest implements TransactionContract {
    private final ModelKafka kafka = new ModelKafka(1);

    @Override
    public ContractKafka kafka() {
        return kafka;
    }

    @AfterEach
    void close() {
        kafka.close();
    }
}
