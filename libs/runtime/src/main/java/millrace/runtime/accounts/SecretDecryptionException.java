package millrace.runtime.accounts;

/** A secret cannot be opened with the key at hand; the message is for operators and holds no secret. */
public final class SecretDecryptionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SecretDecryptionException(String message) {
        super(message);
    }
}
