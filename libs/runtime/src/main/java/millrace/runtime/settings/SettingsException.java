package millrace.runtime.settings;

/**
 * Settings that cannot be used. The message is one line for the operator; no stack trace is needed.
 */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SettingsException(String message) {
        super(message);
    }
}
