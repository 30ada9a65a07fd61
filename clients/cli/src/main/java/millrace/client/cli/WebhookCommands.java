package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.MillraceException.ServiceException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Table;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace webhooks}. */
@Command(
        name = "webhooks",
        description = "See what became of webhooks, send them again, test and verify them, and hear of new data.")
final class WebhookCommands {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;
    private static final Target SUBSCRIPTIONS = Target.batch("webhooks", "subscriptions");

    private final Session session;

    WebhookCommands(Session session) {
        this.session = session;
    }

    /** The commands that have classes of their own. */
    List<Object> others() {
        return List.of(new VerifyCommand(session));
    }

    @Command(
            description = "Lists webhooks and what became of them, newest first; of one of them its body and attempts.",
            footer = "millrace webhooks deliveries --state failed,dead")
    int deliveries(
            @Parameters(arity = "0..1", paramLabel = "<webhook id>") @Nullable String id,
            @Option(names = "--state", paramLabel = "<state>,…", description = "waiting, failed, delivered or dead.")
                    @Nullable
                    String state,
            @Option(names = "--report", paramLabel = "<report id>", description = "Only of this report.") @Nullable
                    String report,
            @Option(names = "--endpoint", paramLabel = "<endpoint id>", description = "Only of this endpoint.")
                    @Nullable
                    String endpoint,
            @Option(names = "--from", paramLabel = "<instant>", description = "Since then, like 2026-11-02T08:00:00Z.")
                    @Nullable
                    String from,
            @Option(names = "--to", paramLabel = "<instant>", description = "Before then.") @Nullable String to,
            @Option(names = "--limit", paramLabel = "<n>", description = "At most so many [" + PAGE + "].") @Nullable
                    Integer limit)
            throws CliException, InterruptedException {
        Api api = session.api();
        if (id != null) {
            one(api.get(Target.batch("webhooks", "deliveries", id)).body());
            return ExitCodes.DONE;
        }
        Target wanted = Target.batch("webhooks", "deliveries")
                .with("state", state)
                .with("report_id", report)
                .with("endpoint", endpoint)
                .with("from", from)
                .with("to", to);
        ArrayNode deliveries = api.list(wanted, "deliveries", LARGEST_PAGE, limit == null ? PAGE : limit);
        if (session.json()) {
            session.print(Json.object().set("deliveries", deliveries));
            return ExitCodes.DONE;
        }
        var table = new Table("webhook", "state", ">attempts", ">status", "occurred (UTC)", "next (UTC)", "url");
        for (JsonNode delivery : deliveries) {
            table.row(
                    Json.text(delivery, "id"),
                    Json.text(delivery, "state"),
                    Words.number(delivery.path("attempt_count")),
                    Json.text(delivery, "last_http_status"),
                    Words.time(delivery.path("occurred_at")),
                    Words.time(delivery.path("next_attempt_at")),
                    Json.text(delivery, "url"));
        }
        session.print(table, "there are no such webhooks");
        return ExitCodes.DONE;
    }

    private void one(JsonNode delivery) {
        if (session.json()) {
            session.print(delivery);
            return;
        }
        session.print(
                Json.text(delivery, "id") + " to " + Json.text(delivery, "url") + ": " + Json.text(delivery, "state"));
        session.print(Json.text(delivery, "body"));
        session.out().println();
        var attempts = new Table(">attempt", "started (UTC)", ">took", "outcome", ">status", "error", "answer");
        for (JsonNode attempt : delivery.path("attempts")) {
            attempts.row(
                    Words.number(attempt.path("attempt")),
                    Words.time(attempt.path("started_at")),
                    Words.duration(
                            Duration.ofMillis(attempt.path("duration_millis").asLong())),
                    Json.text(attempt, "outcome"),
                    Json.text(attempt, "http_status"),
                    Json.text(attempt, "error"),
                    Json.text(attempt, "answer_excerpt").strip());
        }
        session.print(attempts);
    }

    @Command(
            description = "Sends webhooks once more: those that are named, or all of a range of time that failed.",
            footer = {
                "millrace webhooks resend 845d6440-79d1-4125-964e-eaef0d6923e5.2",
                "millrace webhooks resend --from 2026-11-02T08:00:00Z --to 2026-11-02T12:00:00Z"
            })
    int resend(
            @Parameters(arity = "0..*", paramLabel = "<webhook id>") @Nullable List<String> ids,
            @Option(names = "--from", paramLabel = "<instant>", description = "Those that occurred then or later.")
                    @Nullable
                    String from,
            @Option(names = "--to", paramLabel = "<instant>", description = "Those before; now if not given.") @Nullable
                    String to,
            @Option(names = "--endpoint", paramLabel = "<endpoint id>", description = "Only of this endpoint.")
                    @Nullable
                    String endpoint,
            @Option(
                            names = "--state",
                            split = ",",
                            paramLabel = "<state>,…",
                            description = "waiting, failed, delivered or dead [failed,dead].")
                    @Nullable
                    List<String> states)
            throws CliException, InterruptedException {
        boolean named = ids != null && !ids.isEmpty();
        if (named == (from != null)) {
            throw new CliException(ExitCodes.USAGE, "resend needs ids of webhooks, or a range that begins with --from");
        }
        Api api = session.api();
        if (ids != null && named) {
            for (String id : ids) {
                JsonNode answer = api.post(Target.batch("webhooks", "deliveries", id, "resend"), null)
                        .body();
                session.print(answer, Json.text(answer, "id") + " is sent again");
            }
            return ExitCodes.DONE;
        }
        ObjectNode body = Json.object().put("from", from);
        if (to != null) {
            body.put("to", to);
        }
        if (endpoint != null) {
            body.put("endpoint", endpoint);
        }
        if (states != null) {
            ArrayNode wanted = body.putArray("states");
            states.forEach(wanted::add);
        }
        JsonNode answer = api.post(Target.batch("webhooks", "resend"), body).body();
        return session.print(
                answer,
                Words.count(answer.path("resent").asLong(), "webhook") + " sent again"
                        + (answer.path("gone").asLong() > 0
                                ? ", " + Words.number(answer.path("gone")) + " not kept any more"
                                : "")
                        + (answer.path("left").asLong() > 0
                                ? "; " + Words.number(answer.path("left")) + " are left: the same command sends them"
                                : ""));
    }

    @Command(
            description =
                    "Has the service send a test to a URL, at once, and says whether it arrived. Exit code 5 where"
                            + " the receiver did not take it.",
            footer = "millrace webhooks test https://hooks.example.com/reports")
    int test(@Parameters(paramLabel = "<url>") String url) throws CliException, InterruptedException {
        try {
            JsonNode answer = session.api()
                    .post(Target.batch("webhooks", "test"), Json.object().put("webhook_url", url))
                    .body();
            return session.print(answer, "it arrived: " + url + " answered with success");
        } catch (CliException e) {
            if (!(e.getCause() instanceof ServiceException refused && "webhook_test_failed".equals(refused.code()))) {
                throw e;
            }
            // The service has done what it was asked to: it is the receiver that did not take it.
            throw new CliException(
                    ExitCodes.UNAVAILABLE,
                    String.valueOf(e.getMessage())
                            .replaceFirst("^webhook_url: ", Matcher.quoteReplacement(url + ": ")));
        }
    }

    @Command(description = "Lists the URLs that are told of new data.", footer = "millrace webhooks subscriptions")
    int subscriptions() throws CliException, InterruptedException {
        JsonNode answer = session.api().get(SUBSCRIPTIONS).body();
        if (session.json()) {
            session.print(answer);
            return ExitCodes.DONE;
        }
        var table = new Table("subscription", "made (UTC)", "url");
        for (JsonNode subscription : answer.path("subscriptions")) {
            table.row(
                    Json.text(subscription, "id"),
                    Words.time(subscription.path("created_at")),
                    Json.text(subscription, "webhook_url"));
        }
        session.print(table, "there are no subscriptions");
        return ExitCodes.DONE;
    }

    @Command(
            description = "Has a URL told when new reports of a dataset read another version of the data.",
            footer = "millrace webhooks subscribe https://hooks.example.com/data")
    int subscribe(@Parameters(paramLabel = "<url>") String url) throws CliException, InterruptedException {
        ObjectNode body = Json.object().put("webhook_url", url);
        body.putArray("event_types").add("data_version_available");
        JsonNode answer = session.api().post(SUBSCRIPTIONS, body).body();
        return session.print(
                answer, Json.text(answer, "id") + ": " + Json.text(answer, "webhook_url") + " is told of new data");
    }

    @Command(
            description = "Ends a subscription; its id is in the list.",
            footer = "millrace webhooks unsubscribe sub_0a1b2c3d4e5f6071")
    int unsubscribe(@Parameters(paramLabel = "<subscription id>") String id) throws CliException, InterruptedException {
        return session.print(
                session.api()
                        .delete(Target.batch("webhooks", "subscriptions", id))
                        .body(),
                id + " has ended");
    }
}
