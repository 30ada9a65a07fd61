package millrace.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.client.cli.session.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Help, completion, and what the launcher knows of the commands. */
class HelpTest {
    @TempDir
    Path home;

    @Test
    void everyCommandIsInASectionOfTheHelp() {
        String help = new Typed(home).run("--help").out();
        List<String> sections =
                CommandTree.SECTIONS.values().stream().flatMap(List::stream).toList();
        assertThat(tree().getSubcommands().keySet()).containsExactlyInAnyOrderElementsOf(sections);
        assertThat(help).contains("Reports:", "For operators:", "Options of every command:", "Exit codes:");
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(new Typed(home).run().out()).isEqualTo(help);
    }

    @Test
    void everyCommandHasADescriptionAndExamplesThatAreRight() throws IOException {
        for (CommandSpec command : leaves(tree())) {
            assertThat(command.usageMessage().description())
                    .as(command.qualifiedName())
                    .isNotEmpty();
            String examples = String.join("\n", command.usageMessage().footer());
            assertThat(examples).contains(command.qualifiedName());
            for (String example : examples.replace("\\\n", " ").split("\n", -1)) {
                example(example.strip());
            }
        }
    }

    /** A typed line, as far as picocli is concerned. */
    private static void example(String line) {
        Matcher inner = Pattern.compile("\\$?[<$]?\\((millrace [^)]*)\\)").matcher(line);
        String command = inner.find() ? inner.group(1) : line;
        List<String> words = Pattern.compile("'([^']*)'|(\\S+)")
                .matcher(command)
                .results()
                .map(w -> w.group(1) == null ? w.group(2) : w.group(1))
                .toList();
        assertThat(words.getFirst()).isEqualTo("millrace");
        tree().parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    }

    @Test
    void whatAllCommandsHaveIsInTheFirstHelpOnly() {
        String help = new Typed(home).run("report", "list", "--help").out();
        assertThat(help)
                .contains("--status", "Example:\n  millrace report list")
                .doesNotContain("--profile");
    }

    @Test
    void suggestsWhatWasMeant() {
        Typed.Result mistyped = new Typed(home).run("credit");
        assertThat(mistyped.code()).isEqualTo(2);
        assertThat(mistyped.err())
                .isEqualTo("millrace: there is no command credit; did you mean credits?; try millrace help\n");
        assertThat(new Typed(home).run("reports").err()).contains("there is no command reports; did you mean report?");
        assertThat(new Typed(home).run("report", "lst").err())
                .isEqualTo("millrace report: there is no command lst; did you mean list?; try --help\n");
        assertThat(new Typed(home).run("credits", "--jsno").err()).contains("did you mean --json?");
        assertThat(new Typed(home).run("report").err())
                .isEqualTo("millrace report: Missing required subcommand; try --help\n");
        assertThat(new Typed(home).run("credits", "--retry-for", "5").err()).contains("must be like 30s, 5m or 2h: 5");
        assertThat(new Typed(home).run("--version").out()).startsWith("millrace ");
    }

    /** Beside a service {@code millrace --help} is about running it. */
    @Test
    void leadsToItsOwnHelp() {
        assertThat(new Typed(home).run("help").out())
                .isEqualTo(new Typed(home).run("--help").out());
        String list = new Typed(home).run("report", "list", "--help").out();
        assertThat(new Typed(home).run("help", "report", "list").out()).isEqualTo(list);
        assertThat(list).contains("millrace help").doesNotContain("millrace --help");
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        String script = new Typed(home).run("completion", "bash").out();
        assertThat(new Typed(home).run("completion", "zsh").out()).isEqualTo(script);
        assertThat(completed(script, "millrace", "rep")).containsExactly("report");
        assertThat(completed(script, "millrace", "report", "")).contains("run", "list", "download");
        assertThat(completed(script, "millrace", "report", "run", "--comp")).containsExactly("--compression");
        assertThat(completed(script, "millrace", "completion", "z")).containsExactly("zsh");
    }

    private List<String> completed(String script, String... words) throws IOException, InterruptedException {
        Path file = Files.writeString(home.resolve("completion"), script);
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "--norc",
                "-c",
                // Outside of a completion that a shell has begun there is no compopt.
                ". \"$1\"; shift; compopt() { :; }; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\"; COMP_POINT=${#COMP_LINE};"
                        + " _complete_millrace; printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                file.toString()));
        command.addAll(List.of(words));
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(output).isZero();
        return output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    @Test
    void theLauncherKnowsEveryCommand() throws IOException {
        String launcher = Files.readString(Path.of("../../millrace"));
        Matcher names = Pattern.compile("(?m)^  ([a-z|]+)\\) client ").matcher(launcher);
        assertThat(names.find()).isTrue();
        assertThat(names.group(1).split("\\|", -1))
                .containsExactlyInAnyOrderElementsOf(tree().getSubcommands().keySet());
    }

    @Test
    void aNameAmongTheArgumentsBringsItsCommandWithIt() {
        var machine = Machine.here();
        assertThat(CommandTree.of(machine, "1", new String[] {"--profile", "x", "credits"})
                        .getSubcommands())
                .containsOnlyKeys("credits");
        assertThat(CommandTree.of(machine, "1", new String[] {"crdits"})
                        .getSubcommands()
                        .keySet())
                .isEqualTo(tree().getSubcommands().keySet());
        assertThat(CommandTree.of(machine, "1", new String[] {"report", "--help"})
                        .getSubcommands())
                .hasSizeGreaterThan(5);
    }

    private static CommandLine tree() {
        return CommandTree.of(Machine.here(), "1");
    }

    private static List<CommandSpec> leaves(CommandLine line) {
        List<CommandSpec> leaves = new ArrayList<>();
        for (CommandLine one : new HashSet<>(line.getSubcommands().values())) {
            boolean group = !one.getSubcommands().isEmpty();
            leaves.addAll(leaves(one));
            if (!group || Stream.of("report", "webhooks").noneMatch(one.getCommandName()::equals)) {
                leaves.add(one.getCommandSpec());
            }
        }
        return leaves;
    }
}
