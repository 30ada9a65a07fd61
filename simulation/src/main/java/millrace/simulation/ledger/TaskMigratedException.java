package millrace.simulation.ledger;

import org.apache.kafka.common.KafkaException;

/** The thread was fenced, or its transaction is lost: all of its tasks begin again where the last commit left them. */
final class TaskMigratedException extends KafkaException {
    private static final long serialVersionUID = 1L;

    TaskMigratedException(Throwable cause) {
        super(cause);
    }
}
