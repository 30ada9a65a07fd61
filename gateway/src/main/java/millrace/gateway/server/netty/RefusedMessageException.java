package millrace.gateway.server.netty;

import java.io.IOException;
import millrace.gateway.problems.ProblemCode;

/** A message whose framing or meaning is uncertain. The text is a sentence for the client. */
public final class RefusedMessageException extends IOException {
    private static final long serialVersionUID = 1;

    private final ProblemCode code;

    RefusedMessageException(ProblemCode code, String sentence) {
        super(sentence);
        this.code = code;
    }

    /** Of the response. */
    public ProblemCode code() {
        return code;
    }
}
