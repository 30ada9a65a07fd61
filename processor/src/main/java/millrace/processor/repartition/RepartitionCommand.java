package millrace.processor.repartition;

import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.CliRunner;
import millrace.runtime.repartition.RepartitionState;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Changes the number of partitions of all topics, while no service runs. */
@Command(
        name = "millrace admin repartition",
        header = "Changes the number of partitions of all topics, while no service runs.",
        description = {
            "",
            "Balances, reports, Idempotency-Keys, links, histories and waiting webhooks stay as they are. Each topic is"
                    + " copied to <topic>.before-<n> and compared, then made anew from the copy and compared again. A"
                    + " run that was killed is gone on with by the same command. The copies stay until --confirm.",
        },
        footer = {
            "",
            "Example: from 4 to 16 partitions, with all gateways, processors and notifiers stopped:",
            "  millrace-admin repartition --kafka kafka-1:9092 --partitions 16 --dry-run",
            "  millrace-admin repartition --kafka kafka-1:9092 --partitions 16",
            "  (set kafka.partitions to 16 for all services, start them, look)",
            "  millrace-admin repartition --kafka kafka-1:9092 --confirm",
        },
        synopsisHeading = "%nUsage: ",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "2:wrong command",
            "3:it could not be done",
            "4:done, but what it says could not be printed; or something unexpected: look with --status"
        },
        exitCodeOnExecutionException = RepartitionCommand.UNWRITTEN)
public final class RepartitionCommand implements Callable<Integer> {
    private static final int FAILED = 3;
    static final int UNWRITTEN = 4;
    private static final String ENVIRONMENT = "MILLRACE_KAFKA_";

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(
            names = "--dry-run",
            description = "Say what would be done, how much space it takes, and who else reads the topics.")
    private boolean dryRun;

    @Option(names = "--discard", description = "With --undo: also what services have written since.")
    private boolean discard;

    @Option(
            names = "--kafka",
            paramLabel = "<host:port>,…",
            description = "Brokers to start from; else MILLRACE_KAFKA_BOOTSTRAP_SERVERS, else 127.0.0.1:9092.")
    private @Nullable String brokers;

    @Option(
            names = "--kafka-client",
            paramLabel = "<name>=<value>",
            description =
                    "A property of Kafka's clients, like security.protocol=SASL_SSL; else MILLRACE_KAFKA_CLIENT_….")
    private Map<String, String> client = new TreeMap<>();

    private final Map<String, String> environment;
    private final PrintStream out;

    /** What to do. */
    static final class What {
        @Option(names = "--partitions", paramLabel = "<n>", description = "Change to so many, or go on with that.")
        @Nullable
        Integer partitions;

        @Option(names = "--confirm", description = "Delete the copies of what was before.")
        boolean confirm;

        @Option(names = "--undo", description = "Make the topics as they were, and delete the copies.")
        boolean undo;

        @Option(names = "--status", description = "Say how far it has come.")
        boolean status;
    }

    private RepartitionCommand(Map<String, String> environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), CliRunner.standardOutput(), CliRunner.errorStream()));
    }

    /** @return the exit code */
    public static int run(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        return CliRunner.run(new RepartitionCommand(environment, out), arguments, out, err);
    }

    @Override
    public Integer call() throws CliException {
        Integer partitions = what.partitions;
        if ((discard && !what.undo) || (dryRun && partitions == null)) {
            throw new CliException(
                    ExitCode.USAGE, "--dry-run is for --partitions, and --discard for --undo; try --help");
        }
        var progress = new ConsoleProgress(out, System::nanoTime);
        try (var repartition = new Repartition(kafka(), progress, InstantSource.system())) {
            if (partitions != null) {
                change(repartition, partitions, progress);
            } else if (what.confirm) {
                repartition.confirm();
                out.println("The copies of what was before are deleted.");
            } else if (what.undo) {
                repartition.undo(discard);
                repartition
                        .state()
                        .ifPresent(state -> out.println("The topics have " + state.from()
                                + " partitions again. Set kafka.partitions to " + state.from() + " for all services."));
            } else {
                out.println(repartition
                        .state()
                        .map(RepartitionCommand::sentence)
                        .orElse("The number of partitions was" + " never changed."));
            }
            return ExitCode.OK;
        } catch (RepartitionException | SettingsException e) {
            throw new CliException(FAILED, String.valueOf(e.getMessage()));
        }
    }

    private void change(Repartition repartition, int partitions, ConsoleProgress progress) {
        RepartitionState.Phase phase =
                repartition.state().map(RepartitionState::phase).orElse(RepartitionState.Phase.OVER);
        if (phase == RepartitionState.Phase.OVER) {
            Plan plan = repartition.plan(partitions);
            plan.sentences().forEach(out::println);
            progress.expect(plan.reads());
        } else {
            progress.expect(repartition.left());
        }
        if (dryRun) {
            out.println("Nothing was changed.");
            return;
        }
        repartition.run(partitions);
        progress.over();
        out.println(String.format(
                Locale.ROOT,
                "All topics have %1$d partitions. Set kafka.partitions to %1$d for all services and start them; they"
                        + " build their local folders again from Kafka, which takes a moment. Feeds of clients begin"
                        + " with \"reset\". Then: repartition --confirm, or --undo.",
                partitions));
    }

    private static String sentence(RepartitionState state) {
        String change = "from " + state.from() + " to " + state.to() + " partitions, begun " + state.startedAt();
        return switch (state.phase()) {
            case BACKING_UP, SWITCHING ->
                "Unfinished: " + change + ". Run repartition --partitions " + state.to() + ", or --undo.";
            case SWITCHED -> "Done and not confirmed: " + change + ". Run repartition --confirm, or --undo.";
            case GOING_BACK -> "On its way back: " + change + ". Run repartition --undo.";
            case OVER -> "Over: " + change + ".";
        };
    }

    private KafkaSettings kafka() {
        Map<String, String> ofKafka = environment.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith(ENVIRONMENT))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Map<String, String> given = new HashMap<>();
        client.forEach((name, value) -> given.put(KafkaSettings.PREFIX + ".client." + name, value));
        if (brokers != null) {
            given.put(KafkaSettings.PREFIX + ".bootstrap.servers", brokers);
        }
        return Settings.load(Map.of(KafkaSettings.PREFIX, KafkaSettings.class), null, ofKafka, given)
                .withDefaults(Map.of(
                        KafkaSettings.PREFIX + ".client.request.timeout.ms",
                        Long.toString(Duration.ofSeconds(30).toMillis())))
                .kafka();
    }
}
