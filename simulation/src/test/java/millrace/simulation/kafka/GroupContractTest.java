package millrace.simulation.kafka;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract on the model, with several seeds. */
@ParameterizedClass
@ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
class GroupContractTest implements GroupContract {
    private final ModelKafka kafka;

    GroupContractTest(long seed) {
        kafka = new ModelKafka(seed);
    }

    @Override
    public ContractKafka kafka() {
        return kafka;
    }

    @AfterEach
    void close() {
        kafka.close();
    }
}
