package millrace.runtime.cli;

import org.jspecify.annotations.Nullable;

/**
 * A command's arguments are valid, but it fails. The message is for a person: a sentence, or several
 * on lines of their own.
 */
public class CliException extends Exception {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    public CliException(int exitCode, @Nullable String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
