package millrace.runtime.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs a picocli command, with the option {@code --help}. What is wrong is one line on the error stream that begins with the command's name. Exit codes: what
 * the command returns, that of a {@link CliException}, or 2 where the arguments are wrong.
 */
public final class CliRunner {
    private CliRunner() {}

    /** @return the exit code */
    public static int run(Object command, String[] arguments, PrintStream out, PrintStream err) {
        var line = new CommandLine(command);
        help(line);
        return line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(100)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setParameterExceptionHandler((e, given) -> wrong(e))
                .setExecutionExceptionHandler((e, failed, given) -> failed(e, failed))
                .execute(arguments);
    }

    /** For the command and each below it. */
    private static void help(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
        line.getSubcommands().values().forEach(CliRunner::help);
    }

    private static int wrong(ParameterException e) {
        CommandLine line = e.getCommandLine();
        List<String> suggestions =
                e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        // Among further suggestions are names that have little in common with what was typed.
        String suggestion = suggestions.isEmpty() ? "" : "; did you mean " + suggestions.getFirst() + "?";
        say(line, String.valueOf(e.getMessage()).replaceFirst("^Error: ", "") + suggestion + "; try --help");
        return ExitCode.USAGE;
    }

    private static int failed(Exception e, CommandLine line) throws Exception {
        if (!(e instanceof CliException failure)) {
            throw e;
        }
        say(line, String.valueOf(failure.getMessage()));
        return failure.exitCode();
    }

    private static void say(CommandLine line, String message) {
        line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + message);
    }
}
