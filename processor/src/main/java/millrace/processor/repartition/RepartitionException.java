package millrace.processor.repartition;

/** It cannot go on. The message is for the operator, and says what to do. */
final class RepartitionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RepartitionException(String message) {
        super(message);
    }

    RepartitionException(String message, Throwable cause) {
        super(message, cause);
    }
}
