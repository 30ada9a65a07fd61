package millrace.runtime.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs a picocli command. What is wrong is one line on the error stream that begins with the command's name. Exit codes: what
 * the command returns, that of a {@link CommandFailure}, or 2 where the arguments are wrong.
 */
public final class CommandRunner {
    private CommandRunner() {}

    /** @return the exit code */
    public static int run(Object command, String[] arguments, PrintStream out, PrintStream err) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(100)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setParameterExceptionHandler((e, given) -> wrong(e))
                .setExecutionExceptionHandler((e, line, given) -> failed(e, line))
                .execute(arguments);
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
        if (!(e instanceof CommandFailure failure)) {
            throw e;
        }
        say(line, String.valueOf(failure.getMessage()));
        return failure.exitCode();
    }

    private static void say(CommandLine line, String message) {
        line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + message);
    }
}
