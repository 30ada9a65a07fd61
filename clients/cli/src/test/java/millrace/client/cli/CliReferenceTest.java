package millrace.client.cli;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.client.cli.session.Machine;
import millrace.testing.GeneratedPage;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code docs/reference/cli.md} lists the commands that the program has. */
class CliReferenceTest {
    @Test
    void listsEveryCommand() throws IOException {
        CommandLine root = CommandTree.of(Machine.here(), "1");
        GeneratedPage.check(
                "cli.md",
                "## Options of every command\n\n" + table(root.getCommandSpec()) + "\n" + sections(root),
                "-pl clients/cli -am test -Dtest=CliReferenceTest -Dsurefire.failIfNoSpecifiedTests=false");
    }

    private static String sections(CommandLine root) {
        return CommandTree.SECTIONS.entrySet().stream()
                .map(section -> "## " + section.getKey() + "\n\n"
                        + section.getValue().stream()
                                .map(name -> command(Objects.requireNonNull(
                                        root.getSubcommands().get(name))))
                                .collect(Collectors.joining("\n")))
                .collect(Collectors.joining("\n"));
    }

    private static String command(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        String examples = String.join("\n", spec.usageMessage().footer()).replaceAll("(?m)^  ", "");
        String parameters = spec.positionalParameters().stream()
                .map(CliReferenceTest::parameter)
                .collect(Collectors.joining());
        String own = "### `" + spec.qualifiedName() + parameters + "`\n\n"
                + wrapped(List.of(spec.usageMessage().description()))
                + (examples.isEmpty() ? "" : "\n```\n" + examples + "\n```\n")
                + (table(spec).isEmpty() ? "" : "\n" + table(spec));
        return own
                + line.getSubcommands().values().stream()
                        .map(more -> "\n" + command(more))
                        .collect(Collectors.joining());
    }

    private static String parameter(ArgSpec parameter) {
        String many = parameter.arity().max() > 1 ? "…" : "";
        return parameter.arity().min() == 0 ? " [" + parameter.paramLabel() + many + "]" : " " + parameter.paramLabel();
    }

    /** Options, in the order of the help; those that all commands have stand with the first. */
    private static String table(CommandSpec spec) {
        String rows = spec.options().stream()
                .filter(option -> !option.inherited() && !option.hidden() && !option.usageHelp())
                .map(option -> "| `" + names(option).replace("|", "\\|") + "` | "
                        + String.join(" ", option.description())
                                .replace("|", "\\|")
                                .replace("<", "&lt;") + " |\n")
                .collect(Collectors.joining());
        return rows.isEmpty() ? "" : "| option | |\n|---|---|\n" + rows;
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    /** At most 100 columns, as all prose is. */
    private static String wrapped(List<String> paragraphs) {
        var text = new StringBuilder();
        for (String paragraph : paragraphs) {
            int column = 0;
            for (String word : paragraph.replace("<", "&lt;").split(" ", -1)) {
                if (column > 0 && column + 1 + word.length() > 100) {
                    text.append('\n');
                    column = 0;
                }
                text.append(column > 0 ? " " : "").append(word);
                column += word.length() + (column > 0 ? 1 : 0);
            }
            text.append('\n');
        }
        return text.toString();
    }
}
