package millrace.processor.retention;

import java.io.IOException;

/** A sweep was refused, since it could delete needed files. The message says why, and what an operator can do. */
final class SweepRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    SweepRefusedException(String message) {
        super(message);
    }
}
