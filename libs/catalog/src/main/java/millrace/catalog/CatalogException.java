package millrace.catalog;

/** A dataset file is invalid. The message is one line: file, field, problem. */
public final class CatalogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CatalogException(String file, String problem) {
        super(file + ": " + problem);
    }
}
