package millrace.client.cli.events;

import java.util.concurrent.Callable;
import millrace.client.cli.api.EventFeed;
import millrace.client.cli.api.FeedEvent;
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
public final class EventsCommand implements Callable<Integer> {
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

    public EventsCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        var printer = new Printer(count, since == null ? "" : since);
        try (Interruption interruption = new Interruption(session.machine().err())) {
            interruption.next(printer::goOn);
            if (count > 0) {
                session.feed(session::say).follow(types, since, printer);
            }
        }
        return ExitCodes.DONE;
    }

    private final class Printer implements EventFeed.Listener {
        private long left;
        private volatile String position;

        Printer(long left, String position) {
            this.left = left;
            this.position = position;
        }

        @Override
        public void at(String now) {
            position = now;
        }

        @Override
        public boolean event(FeedEvent event) throws CliException {
            if (session.json()) {
                session.print(event.data().toString());
            } else {
                session.print(EventLine.of(event));
            }
            session.checkOutput();
            position = event.position();
            return --left > 0;
        }

        @Nullable
        String goOn() {
            return position.isEmpty() ? null : "To go on from here: millrace events --since " + position;
        }
    }
}
