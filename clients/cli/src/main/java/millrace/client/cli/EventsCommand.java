package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import millrace.client.cli.api.EventFeed;
import millrace.client.cli.api.Session;
import millrace.client.cli.output.Interruption;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace events}. */
@Command(
        name = "events",
        description = {
            "Prints what happens in the account while it happens: reports, webhooks, credits.",
            "",
            "A connection that ends is opened again where it ended; with --json each event is one line of JSON."
        },
        footer = "millrace events --follow --types report,balance_low")
final class EventsCommand implements Callable<Integer> {
    @Option(
            names = {"-f", "--follow"},
            description = "Until Ctrl-C: it always does, so this may be left out.")
    boolean follow;

    @Option(
            names = "--types",
            paramLabel = "<type>,…",
            description = "report, delivery, credits, balance_low, data_version_available; else all.")
    private @Nullable String types;

    @Option(
            names = "--since",
            paramLabel = "<position>",
            description = "Go on where an earlier run ended, which has printed the position; else from now on.")
    private @Nullable String since;

    @Option(names = "--count", paramLabel = "<n>", description = "End after so many events.")
    private long count = Long.MAX_VALUE;

    private final Session session;

    EventsCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        EventFeed feed = session.feed(session::say);
        try (Interruption interruption = new Interruption(session.machine().err())) {
            interruption.next(() -> goOn(feed.position()));
            if (count > 0) {
                feed.follow(types, since, this::print);
            }
        }
        return ExitCodes.DONE;
    }

    private boolean print(String type, JsonNode data) throws CliException {
        session.print(session.json() ? data.toString() : EventLine.of(type, data));
        session.checkOutput();
        return --count > 0;
    }

    private static @Nullable String goOn(String position) {
        return position.isEmpty() ? null : "To go on from here: millrace events --since " + position;
    }
}
