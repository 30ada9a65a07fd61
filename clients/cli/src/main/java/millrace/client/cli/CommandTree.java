package millrace.client.cli;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.client.cli.api.Session;
import millrace.client.cli.report.ReportCommands;
import millrace.client.cli.report.ValidateCommand;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Machine;
import millrace.client.cli.statements.CreditsVerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.TypeConversionException;

/** All commands, and how their help looks. */
final class CommandTree {
    /** The commands by what they are for, in the order of the help. */
    static final Map<String, List<String>> SECTIONS = sections();

    private CommandTree() {}

    private static Map<String, List<String>> sections() {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        sections.put("Reports", List.of("report", "validate"));
        sections.put("Data, credits and keys", List.of("datasets", "entities", "credits", "keys"));
        sections.put("Webhooks and events", List.of("events", "listen", "webhooks"));
        sections.put("For operators", List.of("status"));
        sections.put("This command", List.of("login", "completion"));
        return sections;
    }

    /** All commands. */
    static CommandLine of(Machine machine, String version) {
        return of(machine, version, name -> true);
    }

    /**
     * The commands that these arguments may mean. To read the annotations of all of them takes
     * longer than most commands do.
     */
    static CommandLine of(Machine machine, String version, String[] arguments) {
        List<String> given = List.of(arguments);
        boolean named =
                SECTIONS.values().stream().anyMatch(names -> names.stream().anyMatch(given::contains));
        boolean all = !named || given.contains("--help") || given.contains("-h") || given.contains("completion");
        return of(machine, version, name -> all || given.contains(name));
    }

    /** @param version that {@code --version} tells */
    private static CommandLine of(Machine machine, String version, Predicate<String> wanted) {
        var session = new Session(machine, version);
        var root = new CommandLine(new RootCommand(session));
        root.getCommandSpec()
                .version("millrace " + version)
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Which build this is.")
                        .build());
        commands(session).forEach((name, command) -> {
            if (wanted.test(name)) {
                root.addSubcommand(command.get());
            }
        });
        root.registerConverter(Duration.class, CommandTree::duration);
        root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandTree::commands);
        style(root);
        return root;
    }

    private static Map<String, Supplier<CommandLine>> commands(Session session) {
        Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();
        commands.put("report", () -> {
            var report = new ReportCommands(session);
            return group(
                    report, report.others(), List.of("run", "list", "show", "cancel", "retry", "erase", "download"));
        });
        commands.put("validate", () -> new CommandLine(new ValidateCommand(session)));
        commands.put("datasets", () -> new CommandLine(new DatasetsCommand(session)));
        commands.put("entities", () -> new CommandLine(new EntitiesCommand(session)));
        commands.put("credits", () -> {
            var verify = new CreditsVerifyCommand(session);
            return group(
                    new CreditsCommand(session), List.of(verify), List.of("entries", "usage", "statements", "verify"));
        });
        commands.put("keys", () -> group(new KeysCommand(session), List.of(), List.of("create", "revoke")));
        commands.put("events", () -> new CommandLine(new EventsCommand(session)));
        commands.put("listen", () -> new CommandLine(new ListenCommand(session)));
        commands.put("webhooks", () -> {
            var webhooks = new WebhookCommands(session);
            return group(webhooks, webhooks.others(), List.of("deliveries", "resend", "test", "verify"));
        });
        commands.put("status", () -> new CommandLine(new StatusCommand(session)));
        commands.put("login", () -> new CommandLine(new LoginCommand(session)));
        commands.put("completion", () -> new CommandLine(new CompletionCommand(session)));
        return commands;
    }

    /** @param order of the commands in the help */
    private static CommandLine group(Object command, List<Object> more, List<String> order) {
        var line = new CommandLine(command);
        more.forEach(line::addSubcommand);
        CommandSpec spec = line.getCommandSpec();
        order.forEach(name -> spec.addSubcommand(name, spec.removeSubcommand(name)));
        return line;
    }

    private static void style(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        boolean root = spec.parent() == null;
        spec.usageMessage()
                .synopsisHeading(root ? "%nUsage: " : "Usage: ")
                .abbreviateSynopsis(true)
                .sortOptions(false)
                .descriptionHeading("%n")
                .parameterListHeading("%n")
                .optionListHeading(root ? "%nOptions of every command:%n" : "%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .footer(indented(spec.usageMessage().footer()))
                .footerHeading(spec.usageMessage().footer().length == 0 ? "" : "%nExample:%n");
        if (root) {
            spec.usageMessage()
                    .commandListHeading("")
                    .exitCodeListHeading("%nExit codes:%n")
                    .exitCodeList(codes())
                    .footerHeading("%n")
                    .footer("millrace <command> --help says more about each, with an example.");
        } else {
            line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, CommandTree::ownOptions);
        }
        line.getSubcommands().values().forEach(CommandTree::style);
    }

    private static Map<String, String> codes() {
        Map<String, String> codes = new LinkedHashMap<>();
        ExitCodes.MEANINGS.forEach(code -> codes.put(code.split(":", 2)[0], code.split(":", 2)[1]));
        return codes;
    }

    private static String[] indented(String[] lines) {
        return Arrays.stream(lines).map(line -> "  " + line).toArray(String[]::new);
    }

    /** What all commands have is in the help of none but the first. */
    private static String ownOptions(Help help) {
        List<OptionSpec> own = help.commandSpec().options().stream()
                .filter(option -> !option.inherited())
                .toList();
        return help.optionListExcludingGroups(own)
                + help.createHeading("%nOptions of every command (--url, --json and so on): millrace help%n");
    }

    private static String commands(Help help) {
        var text = new StringBuilder();
        SECTIONS.forEach((section, names) -> {
            Map<String, Help> shown = new LinkedHashMap<>();
            names.forEach(name -> shown.put(name, help.subcommands().get(name)));
            text.append(help.createHeading("%n" + section + ":%n")).append(help.commandList(shown));
        });
        return text.toString();
    }

    static Duration duration(String text) {
        if (!text.matches("[0-9]{1,9}(ms|s|m|h|d)")) {
            throw new TypeConversionException("must be like 30s, 5m or 2h: " + text);
        }
        String unit = text.replaceFirst("^[0-9]+", "");
        long number = Long.parseLong(text.substring(0, text.length() - unit.length()));
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
