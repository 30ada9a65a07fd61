package millrace.runtime.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs a picocli command with the option {@code --help}. Prints an error as a line for each sentence,
 * which begins with the command's name; what a terminal would act on is escaped. Exit codes: the one
 * that the command returns, the one of a {@link CliException}, 2 where the arguments are wrong, or
 * where the output could not be written, the command's {@code exitCodeOnExecutionException}.
 */
public final class CliRunner {
    /** What a command says whose output is lost. */
    public static final String UNWRITTEN =
            "the output could not be written: the disk is full, or nobody reads it any more";

    private CliRunner() {}

    /** The standard output: UTF-8 whatever the locale is. */
    public static PrintStream standardOutput() {
        return utf8(FileDescriptor.out);
    }

    /** The error stream: UTF-8 whatever the locale is. */
    public static PrintStream errorStream() {
        return utf8(FileDescriptor.err);
    }

    private static PrintStream utf8(FileDescriptor stream) {
        return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
    }

    /** @return the exit code */
    public static int run(Object command, String[] arguments, PrintStream out, PrintStream err) {
        return run(new CommandLine(command), arguments, out, err);
    }

    /** @return the exit code */
    public static int run(CommandLine line, String[] arguments, PrintStream out, PrintStream err) {
        addHelpOption(line);
        int lost = lostArgument(arguments);
        if (lost > 0) {
            err.println(line.getCommandSpec().qualifiedName() + ": " + lostSentence(lost));
            return ExitCode.USAGE;
        }
        int code = line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(100)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setParameterExceptionHandler((e, given) -> usageError(e))
                .setExecutionExceptionHandler((e, failed, given) -> executionError(e, failed))
                .execute(arguments);
        line.getOut().flush();
        if (code == ExitCode.OK && out.checkError()) {
            printError(line, UNWRITTEN);
            return line.getCommandSpec().exitCodeOnExecutionException();
        }
        return code;
    }

    /**
     * The first argument that Java could not read, from 1: in the C locale it makes U+FFFD of every
     * byte of a letter that is not ASCII. 0 where there is none.
     */
    public static int lostArgument(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].indexOf('\uFFFD') >= 0) {
                return i + 1;
            }
        }
        return 0;
    }

    /** What to do about an argument that could not be read. */
    public static String lostSentence(int argument) {
        return "argument " + argument + " is not text in the encoding of this locale, "
                + System.getProperty("sun.jnu.encoding") + "; set LC_ALL=C.UTF-8, or give it in a file";
    }

    /** Adds it to the command and to each subcommand. */
    private static void addHelpOption(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
        line.getSubcommands().values().forEach(CliRunner::addHelpOption);
    }

    private static int usageError(ParameterException e) {
        CommandLine line = e.getCommandLine();
        List<String> suggestions =
                e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        // Only the first suggestion is close to the typed name.
        String suggestion = suggestions.isEmpty() ? "" : "; did you mean " + suggestions.getFirst() + "?";
        String message = e instanceof UnmatchedArgumentException unmatched
                        && !line.getSubcommands().isEmpty()
                        && !unmatched.getUnmatched().getFirst().startsWith("-")
                ? "there is no command " + unmatched.getUnmatched().getFirst()
                : String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
        // Beside a service millrace --help is the service's own.
        String help = line.getCommandSpec().qualifiedName().equals("millrace") ? "millrace help" : "--help";
        printError(line, message + suggestion + "; try " + help);
        return ExitCode.USAGE;
    }

    private static int executionError(Exception e, CommandLine line) throws Exception {
        if (!(e instanceof CliException failure)) {
            throw e;
        }
        printError(
                line,
                String.valueOf(failure.getMessage())
                        .lines()
                        .map(sentence -> TypedNames.in(sentence, line.getCommandSpec()))
                        .collect(Collectors.joining("\n")));
        return failure.exitCode();
    }

    private static void printError(CommandLine line, String message) {
        String name = line.getCommandSpec().qualifiedName();
        message.lines().forEach(sentence -> line.getErr().println(name + ": " + TerminalText.escaped(sentence)));
    }
}
