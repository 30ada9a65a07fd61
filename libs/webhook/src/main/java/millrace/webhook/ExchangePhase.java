package millrace.webhook;

import java.util.Locale;

/**
 * The phases of an exchange, in this order. On a reused connection it starts with {@link #SEND}.
 */
public enum ExchangePhase {
    RESOLVE("looking up the host"),
    CONNECT("connecting"),
    TLS("agreeing on TLS"),
    SEND("sending"),
    HEADERS("waiting for the status line and headers"),
    BODY("reading the body");

    private final String words;

    ExchangePhase(String words) {
        this.words = words;
    }

    /** The name in attempt records: {@code resolve}, {@code connect}, … */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    String words() {
        return words;
    }
}
