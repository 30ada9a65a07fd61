package millrace.client.cli.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Answer;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Interruption;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace report run}. */
@Command(
        name = "run",
        description = {
            "Asks for a report, waits for it and downloads its file.",
            "",
            "The estimate is shown first. The file has its name only when it is whole and its checksum is right; a"
                    + " download that was interrupted goes on where it stopped."
        },
        footer = {
            "millrace report run demographics --domains @domains.txt --countries US,GB --metrics all \\",
            "  --from 2026-01 --to 2026-06 -o out.csv",
            "millrace report run keywords --keywords 'running shoes' --countries US --metrics all \\",
            "  --from 2026-01 --to 2026-06 --max-credits 500 --set limit=100 -o -"
        })
final class RunCommand implements Callable<Integer> {
    @Parameters(paramLabel = "<dataset>", description = "One that millrace datasets shows.")
    private String dataset = "";

    @Mixin
    private final RequestOptions request = new RequestOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(names = "--no-wait", description = "Print the report's id when it is accepted, and wait for nothing.")
    private boolean noWait;

    @Option(
            names = "--quote",
            paramLabel = "<token>",
            description = "Of millrace validate: the report costs at most what it said, and no estimate is shown.")
    private @Nullable String quote;

    @Option(
            names = "--idempotency-key",
            paramLabel = "<text>",
            description = "The same key and request are the same report, charged once; else each run has a key of its"
                    + " own.")
    private @Nullable String idempotencyKey;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Session session;

    RunCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        output.check();
        Api api = session.retryingApi(session::say);
        ObjectNode body = request.body(dataset, session.in(), api);
        if (!noWait && (body.hasNonNull("split") || body.hasNonNull("num_of_files"))) {
            output.checkFolder();
        }
        if (quote == null) {
            Estimate estimate = Estimate.of(api, dataset, body);
            estimate.check();
            session.say(dataset + ": " + estimate.credits());
            estimate.warnings(spec).forEach(session::say);
        } else {
            // An estimate of now may be above the price that holds.
            body.put("quote", quote);
        }
        String report = submit(api, body);
        if (noWait) {
            int done = session.print(Json.object().put("report_id", report), report);
            session.checkOutput("to get its file: millrace report download " + report);
            return done;
        }
        new ReportFetch(session, output, spec).fetch(report);
        return ExitCodes.DONE;
    }

    /** Sent again after a lost connection it is the same report. */
    private String submit(Api api, ObjectNode body) throws CliException, InterruptedException {
        String key = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
        String again = "Whether the report was accepted is not known; the same command with --idempotency-key " + key
                + " is the same report.";
        try (Interruption interruption = new Interruption(session.machine().err())) {
            interruption.next(again);
            Answer answer =
                    api.postSafely(Target.batch(dataset, "request-report"), body, Map.of("Idempotency-Key", key));
            interruption.next(() -> null);
            String report = Json.text(answer.body(), "report_id");
            session.say("report " + report + (answer.replayed() ? " (the one of this idempotency key)" : ""));
            return report;
        } catch (CliException e) {
            throw e.exitCode() == ExitCodes.UNAVAILABLE
                    ? new CliException(e.exitCode(), e.getMessage() + "\n" + again)
                    : e;
        }
    }
}
