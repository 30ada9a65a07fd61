package millrace.runtime.cli;

import org.jspecify.annotations.Nullable;

/** A command's arguments are valid, but it fails. The message is one line for a person. */
public final class CliException extends Exception {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    public CliException(int exitCode, @Nullable String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
