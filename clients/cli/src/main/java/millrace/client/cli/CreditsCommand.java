package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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

/** {@code millrace credits}. */
@Command(
        name = "credits",
        description = "Shows how many credits are left; its commands show where they went.",
        footer = "millrace credits")
final class CreditsCommand implements Callable<Integer> {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 1000;

    private static final String TAG = "tag:";

    private final Session session;

    CreditsCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        JsonNode answer = session.api().get(Target.batch("credits")).body();
        return session.print(
                answer, Words.count(answer.path("remaining_credits").asLong(), "credit") + " left");
    }

    @Command(
            description = "Sums what reports cost, by day, month, dataset or tag (UTC).",
            footer = "millrace credits usage --from 2026-11-01 --by day,dataset")
    int usage(
            @Option(names = "--from", paramLabel = "<day>", description = "The first day; else the last 30.") @Nullable
                    String from,
            @Option(names = "--to", paramLabel = "<day>", description = "The last day; it counts, too.") @Nullable
                    String to,
            @Option(
                            names = "--by",
                            paramLabel = "<word>,…",
                            description = "day or month, dataset, tag:<name> [day,dataset].")
                    @Nullable
                    String by)
            throws CliException, InterruptedException {
        String groups = by == null ? "day,dataset" : by;
        JsonNode answer = session.api()
                .get(Target.batch("credits", "usage")
                        .with("from", from)
                        .with("to", to)
                        .with("group_by", groups))
                .body();
        if (session.json()) {
            session.print(answer);
            return ExitCodes.DONE;
        }
        List<String> titles = new ArrayList<>(List.of(groups.split(",", -1)));
        int keys = titles.size();
        titles.addAll(List.of(">reports", ">credits"));
        var table = new Table(titles.toArray(String[]::new));
        for (JsonNode row : answer.path("usage")) {
            table.row(cells(row, titles.subList(0, keys)));
        }
        session.print(
                table, "no report has ended from " + Json.text(answer, "from") + " to " + Json.text(answer, "to"));
        JsonNode total = answer.path("total");
        session.say("in all " + Words.count(total.path("credits").asLong(), "credit") + " for "
                + Words.count(total.path("reports").asLong(), "report") + ", " + Json.text(answer, "from") + " to "
                + Json.text(answer, "to"));
        return ExitCodes.DONE;
    }

    private static String[] cells(JsonNode row, List<String> keys) {
        List<String> cells = new ArrayList<>();
        keys.forEach(key -> cells.add(
                key.startsWith(TAG) ? Json.text(row.path("tags"), key.substring(TAG.length())) : Json.text(row, key)));
        cells.add(Words.number(row.path("reports")));
        cells.add(Words.number(row.path("credits")));
        return cells.toArray(String[]::new);
    }

    @Command(
            description = "Lists what was booked, newest first.",
            footer = "millrace credits entries --from 2026-11-01 --limit 50")
    int entries(
            @Option(names = "--from", paramLabel = "<time>", description = "Since then: a day or an instant.") @Nullable
                    String from,
            @Option(names = "--to", paramLabel = "<time>", description = "Until then.") @Nullable String to,
            @Option(names = "--limit", paramLabel = "<n>", description = "At most so many [" + PAGE + "].") @Nullable
                    Integer limit)
            throws CliException, InterruptedException {
        Target wanted = Target.batch("credits", "entries").with("from", from).with("to", to);
        ArrayNode entries = session.api().list(wanted, "entries", LARGEST_PAGE, limit == null ? PAGE : limit);
        if (session.json()) {
            session.print(Json.object().set("entries", entries));
            return ExitCodes.DONE;
        }
        var table = new Table("time (UTC)", "entry", ">credits", ">remaining", "dataset", "report");
        for (JsonNode entry : entries) {
            table.row(
                    Words.time(entry.path("occurred_at")),
                    Json.text(entry, "kind"),
                    Words.number(entry.path("amount")),
                    Words.number(entry.path("remaining")),
                    Json.text(entry, "dataset"),
                    Json.text(entry, "report_id"));
        }
        session.print(table);
        return ExitCodes.DONE;
    }

    @Command(
            description = {
                "Lists the signed statements of the months that have ended.",
                "",
                "With a month, prints that statement: keep it in a file, and credits verify checks the ledger against it."
            },
            footer = "millrace credits statements\nmillrace credits statements 2026-10")
    int statements(
            @Parameters(arity = "0..1", paramLabel = "<month>", description = "Like 2026-10.") @Nullable String month)
            throws CliException, InterruptedException {
        if (month != null) {
            session.print(session.api()
                    .get(Target.batch("credits", "statements", month))
                    .body());
            return ExitCodes.DONE;
        }
        JsonNode answer =
                session.api().get(Target.batch("credits", "statements")).body();
        if (session.json()) {
            session.print(answer);
            return ExitCodes.DONE;
        }
        var table = new Table("month", ">entries", ">granted", ">used", ">remaining", "sha256");
        for (JsonNode statement : answer.path("statements")) {
            JsonNode closing = statement.path("closing");
            table.row(
                    Json.text(statement, "month"),
                    Words.number(statement.path("entries")),
                    Words.number(closing.path("granted")),
                    Words.number(closing.path("used")),
                    Words.number(closing.path("remaining")),
                    Json.text(statement, "sha256"));
        }
        table.print(session.out(), session.terminal());
        return ExitCodes.DONE;
    }
}
