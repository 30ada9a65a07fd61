package millrace.gateway.netty;

import java.io.IOException;

/** A message whose end, or whose meaning, is not certain. The text is a sentence for the client. */
public final class RefusedMessageException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    RefusedMessageException(int status, String sentence) {
        super(sentence);
        this.status = status;
    }

    /** Of the answer: 400, 414 or 431. */
    public int status() {
        return status;
    }
}
