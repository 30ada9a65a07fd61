package millrace.processor.repartition;

/** It cannot go on. The message is for the operator, and says what to do. */
final class RepartitionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RepartitionException(String message) {
        super(message);
    }

    public RepartitionException(String message, Throwable cause) {
        super(message, cause);
    }
}
