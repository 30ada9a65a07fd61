package millrace.processor.loading;

/** An import that could not be done, for a reason outside the data; nothing was changed. The message is one line for a person. */
final class ImportException extends Exception {
    private static final long serialVersionUID = 1;

    ImportException(String message) {
        super(message);
    }

    ImportException(String message, Throwable cause) {
        super(message, cause);
    }
}
