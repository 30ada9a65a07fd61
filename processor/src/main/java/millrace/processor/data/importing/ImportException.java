package millrace.processor.data.importing;

/** An import failed for a reason other than its data; nothing was changed. The message is one line for the operator. */
final class ImportException extends Exception {
    private static final long serialVersionUID = 1;

    public ImportException(String message) {
        super(message);
    }

    ImportException(String message, Throwable cause) {
        super(message, cause);
    }
}
