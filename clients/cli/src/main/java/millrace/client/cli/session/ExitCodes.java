package millrace.client.cli.session;

import java.util.List;

/** What the exit code of a command says. Scripts rely on it: a number never changes its meaning. */
public final class ExitCodes {
    public static final int DONE = 0;
    /** Something on this machine, for example a file that cannot be written. */
    public static final int LOCAL = 1;

    public static final int USAGE = 2;
    public static final int REFUSED = 3;
    public static final int UNAUTHORIZED = 4;
    public static final int UNAVAILABLE = 5;
    public static final int REPORT_FAILED = 6;
    /** A file, a webhook or a ledger is not what was sent or signed. */
    public static final int ALTERED = 7;

    /** For help pages: code and meaning. */
    public static final List<String> MEANINGS = List.of(
            "0:done",
            "1:something on this machine, for example a file or an output that cannot be written",
            "2:wrong arguments",
            "3:refused by the service",
            "4:no key, or one that the service does not know",
            "5:the service does not answer, or not in time",
            "6:the report failed, or was cancelled",
            "7:a file, a webhook or a ledger is not what was sent or signed",
            "130:interrupted with Ctrl-C");

    private ExitCodes() {}
}
