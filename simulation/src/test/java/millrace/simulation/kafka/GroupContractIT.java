package millrace.simulation.kafka;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The contract on a real broker. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupContractIT implements GroupContract {
    private final ContractKafka kafka = new RealKafka();

    @Override
    public ContractKafka kafka() {
        return kafka;
    }

    @AfterAll
    void close() {
        kafka.close();
    }
}
