package millrace.client.cli.api;

import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** The service has refused a request. */
public final class RefusedException extends CliException {
    private static final long serialVersionUID = 1;

    private final @Nullable String code;

    /** @param code which kind of refusal it is; null where the service does not say */
    RefusedException(int exitCode, String message, @Nullable String code) {
        super(exitCode, message);
        this.code = code;
    }

    public @Nullable String code() {
        return code;
    }
}
