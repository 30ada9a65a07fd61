package millrace.processor.importing;

/** An import that could not be done, for a reason outside the data; nothing was changed. The message is one line for a person. */
public final class ImportException extends Exception {
    private static final long serialVersionUID = 1;

    public ImportException(String message) {
        super(message);
    }

    ImportException(String message, Throwable cause) {
        super(message, cause);
    }
}
