package millrace.gateway.admin;

/** Something typed that cannot be done. The message is one line for a person. */
final class Wrong extends Exception {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
        super(message);
    }
}
