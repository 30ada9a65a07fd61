package millrace.client.cli.report;

import java.util.concurrent.Callable;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Session;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace validate}. */
@Command(
        name = "validate",
        description = "Checks the request of a report and estimates its price. Free.",
        footer = "millrace validate demographics --domains @domains.txt --countries US --metrics all --from 2026-01"
                + " --to 2026-06")
public final class ValidateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "<dataset>", description = "One that millrace datasets shows.")
    private String dataset = "";

    @Mixin
    private final RequestOptions request = new RequestOptions();

    @Option(names = "--show", description = "Print the request as JSON, as it is sent, and send nothing.")
    private boolean show;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Session session;

    public ValidateCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        Api api = session.api();
        var body = request.body(dataset, session.in(), api);
        if (show) {
            session.print(body);
            return ExitCodes.DONE;
        }
        Estimate estimate = Estimate.of(api, dataset, body);
        if (session.json()) {
            session.print(estimate.json());
            return estimate.json().path("is_valid").asBoolean() ? ExitCodes.DONE : ExitCodes.REFUSED;
        }
        estimate.check();
        session.print("valid; " + estimate.credits());
        estimate.quote().ifPresent(session::print);
        estimate.warnings(spec).forEach(session::print);
        return ExitCodes.DONE;
    }
}
