package millrace.client.cli;

import millrace.client.cli.api.Session;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace} alone, with the options that all commands have. */
@Command(
        name = "millrace",
        header = "Reports from Millrace: ask for them, download them, follow them.",
        synopsisSubcommandLabel = "<command>")
final class RootCommand implements Runnable {
    @Mixin
    final Session session;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RootCommand(Session session) {
        this.session = session;
    }

    /** Without a command: help. */
    @Override
    public void run() {
        CommandLine line = spec.commandLine();
        line.usage(line.getOut());
    }
}
