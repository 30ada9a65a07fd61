package millrace.gateway.netty;

import java.io.IOException;

/** A message whose framing or meaning is uncertain. The text is a sentence for the client. */
public final class RefusedMessageException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    RefusedMessageException(int status, String sentence) {
        super(sentence);
        this.status = status;
    }

    /** Status of the response: 400, 414 or 431. */
    public int status() {
        return status;
    }
}
