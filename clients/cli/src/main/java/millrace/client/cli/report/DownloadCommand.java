package millrace.client.cli.report;

import java.util.concurrent.Callable;
import millrace.client.cli.api.Session;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace report download}. */
@Command(
        name = "download",
        description = "Waits for a report, where it is not complete yet, and downloads its file; goes on where an"
                + " earlier download of it stopped.",
        footer = "millrace report download 845d6440-79d1-4125-964e-eaef0d6923e5 -o out.csv")
final class DownloadCommand implements Callable<Integer> {
    @Parameters(paramLabel = "<report id>")
    private String report = "";

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Session session;

    DownloadCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        output.check();
        new ReportFetch(session, output, spec).fetch(report);
        return ExitCodes.DONE;
    }
}
