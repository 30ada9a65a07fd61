package millrace.simulation.ledger;

import org.apache.kafka.common.KafkaException;

/** The thread was fenced, or its transaction is lost. All of its tasks continue from the last commit. */
final class TaskMigratedException extends KafkaException {
    private static final long serialVersionUID = 1L;

    TaskMigratedException(Throwable cause) {
        super(cause);
    }
}
