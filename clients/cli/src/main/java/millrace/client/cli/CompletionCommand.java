package millrace.client.cli;

import java.util.concurrent.Callable;
import millrace.client.cli.api.Session;
import millrace.client.cli.session.ExitCodes;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace completion}. */
@Command(
        name = "completion",
        description = "Prints a script with which bash or zsh complete these commands and their options.",
        footer = "source <(millrace completion bash)")
final class CompletionCommand implements Callable<Integer> {
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "bash|zsh")
    Shell shell = Shell.bash;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Session session;

    CompletionCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var root = spec.root().commandLine();
        String script = AutoComplete.bash(root.getCommandName(), root);
        // The script is one for both: it turns on what zsh has for scripts of bash.
        session.out().print(script);
        return ExitCodes.DONE;
    }
}
