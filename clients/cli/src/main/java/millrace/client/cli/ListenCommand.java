package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.WebhookSecret;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import millrace.client.cli.api.EventFeed;
import millrace.client.cli.api.Session;
import millrace.client.cli.output.Interruption;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.Connection;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace listen}. */
@Command(
        name = "listen",
        description = {
            "Sends a copy of every webhook of the account to a receiver on this machine, which needs no public"
                    + " address.",
            "",
            "A copy is made for each change of each report, whether its request has a webhook URL or not, and changes"
                    + " nothing in what the service delivers. Copies have the ids of the originals and are signed with a"
                    + " secret of their own, the same for this key each time."
        },
        footer = {
            "millrace listen --forward-to http://127.0.0.1:3000/hook",
            "WEBHOOK_SECRET=$(millrace listen --print-secret) npm start"
        })
final class ListenCommand implements Callable<Integer> {
    /** Long enough for a server that is started anew after an edit. */
    static final List<Duration> RETRIES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(30));

    @Option(names = "--forward-to", paramLabel = "<url>", description = "Where the copies go.")
    private @Nullable String receiver;

    @Option(names = "--data-versions", description = "Send copies for new versions of the data, too.")
    private boolean dataVersions;

    @Option(names = "--print-secret", description = "Print the secret that copies are signed with, and end.")
    private boolean printSecret;

    @Option(
            names = "--since",
            paramLabel = "<position>",
            description = "Go on where an earlier run ended, which has printed the position; else from now on.")
    private @Nullable String since;

    @Option(names = "--count", paramLabel = "<n>", description = "End after so many webhooks.")
    private long count = Long.MAX_VALUE;

    private final Session session;

    ListenCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        WebhookSecret secret = WebhookSecret.derived(session.connection().requiredKey(), "millrace listen");
        if (printSecret) {
            session.print(
                    session.json() ? Json.object().put("secret", secret.text()).toString() : secret.text());
            return ExitCodes.DONE;
        }
        if (receiver == null) {
            throw new CliException(ExitCodes.USAGE, "--forward-to is missing, like http://127.0.0.1:3000/hook");
        }
        URI to = Connection.receiver(receiver);
        session.say("copies of webhooks go to " + to + ", signed with " + secret.text() + "; Ctrl-C ends");
        EventFeed feed = session.feed(session::say);
        try (var forwarder = new Forwarder(session.http(), to, secret, RETRIES, this::answered);
                Interruption interruption = new Interruption(session.machine().err())) {
            interruption.next(() -> goOn(forwarder.position(feed.position()), forwarder.unfinished()));
            if (count > 0) {
                feed.follow(
                        dataVersions ? "report,data_version_available" : "report",
                        since,
                        (type, data) -> copy(type, data, forwarder, feed));
            }
            forwarder.finish();
            return forwarder.failed() == 0 ? ExitCodes.DONE : ExitCodes.UNAVAILABLE;
        }
    }

    /** @return whether more is wanted */
    private boolean copy(String type, JsonNode data, Forwarder forwarder, EventFeed feed)
            throws CliException, InterruptedException {
        Optional<WebhookCopy> copy =
                switch (type) {
                    case "report" -> WebhookCopy.of(data);
                    case "data_version_available" -> WebhookCopy.ofVersion(data);
                    default -> Optional.empty();
                };
        if (copy.isEmpty()) {
            if (type.equals("reset")) {
                session.say("some events are lost: " + Json.text(data, "reason"));
            }
            return true;
        }
        sent(copy.get(), type, data);
        session.checkOutput();
        forwarder.forward(copy.get(), feed.position());
        return --count > 0;
    }

    private synchronized void sent(WebhookCopy copy, String type, JsonNode data) {
        boolean ofReport = type.equals("report");
        JsonNode what = data.path(ofReport ? "report" : "data");
        if (session.json()) {
            ObjectNode line = Json.object().put("webhook_id", copy.id());
            line.set(ofReport ? "report" : "data", what);
            session.print(line.toString());
        } else {
            session.print(Words.clock(Instant.now()) + "  --> " + copy.id() + "  "
                    + (ofReport ? EventLine.report(what) : EventLine.version(what)));
        }
    }

    private synchronized void answered(Forwarder.Answer answer) {
        if (session.json()) {
            ObjectNode line = Json.object()
                    .put("webhook_id", answer.id())
                    .put("attempt", answer.attempt())
                    .put("delivered", answer.delivered())
                    .put("duration_millis", answer.took().toMillis());
            if (answer.status() == 0) {
                line.put("error", answer.error());
            } else {
                line.put("http_status", answer.status());
            }
            session.print(line.toString());
            return;
        }
        String what = answer.status() == 0 ? "no answer: " + answer.error() : Integer.toString(answer.status());
        session.print(Words.clock(Instant.now()) + "  <-- " + answer.id() + "  " + what + "  in "
                + Words.duration(answer.took()) + next(answer));
    }

    private static String next(Forwarder.Answer answer) {
        if (answer.again() != null) {
            return "; again in " + Words.duration(answer.again());
        }
        return answer.delivered() ? "" : "; given up after " + Words.count(answer.attempt(), "attempt");
    }

    private static @Nullable String goOn(String position, int unfinished) {
        return position.isEmpty()
                ? null
                : Words.count(unfinished, "webhook") + " under way. To go on from here: millrace listen --since "
                        + position;
    }
}
