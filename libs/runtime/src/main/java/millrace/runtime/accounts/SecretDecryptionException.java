package millrace.runtime.accounts;

/**
 * A secret cannot be decrypted with this process' key. The message is for operators and contains no
 * secret.
 */
public final class SecretDecryptionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SecretDecryptionException(String message) {
        super(message);
    }
}
