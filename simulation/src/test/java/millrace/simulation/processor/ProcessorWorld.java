package millrace.simulation.processor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import millrace.simulation.rendering.RenderPlan;
import millrace.simulation.rendering.SimulatedFiles;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Processors, and a client that sends commands. The invariants of the ledger are checked after each step. */
final class ProcessorWorld implements AutoCloseable {
    static final int PARTITIONS = 3;
    /** At most 8 slices of 2 domains. */
    static final LedgerRules RULES = new LedgerRules(
            new LedgerRules.Slicing(10, 2, 8),
            new LedgerRules.Turns(2, 3, 4),
            new LedgerRules.Times(
                    Duration.ofSeconds(30),
                    Duration.ofDays(1),
                    Duration.ofDays(30),
                    Duration.ofDays(365),
                    Duration.ofDays(400),
                    Duration.ofDays(29)));

    private static final RenderSettings RENDERING =
            new RenderSettings(2, 2, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(30));
    private static final int STEPS_PER_CHECK = 100;

    final Scheduler scheduler;
    final SimulatedKafka kafka;
    final LedgerInvariants invariants;
    final List<ProcessorProcess> processors = new ArrayList<>();
    private final ProcessorPlan plan;
    private final SimulatedFiles files = new SimulatedFiles();
    private final CommittedRecords<AccountCommand> answered;
    /** Those that are still there. */
    private final Set<String> answeredFiles = new LinkedHashSet<>();

    private int steps;

    ProcessorWorld(long seed, Function<RandomGenerator, Function<RenderTask, RenderPlan>> runs) {
        this.scheduler = new Scheduler(seed);
        this.kafka = new SimulatedKafka(scheduler);
        RandomGenerator random = scheduler.random();
        this.plan = new ProcessorPlan(
                RULES,
                dataset -> Optional.of("v1"),
                RENDERING,
                files,
                runs.apply(random),
                report -> {},
                () -> Duration.ofMillis(random.nextInt(100, 3_000)));
        ProcessorProcess.createTopics(kafka, plan, PARTITIONS);
        this.invariants = new LedgerInvariants(kafka, PARTITIONS);
        this.answered = new CommittedRecords<>(kafka, Topics.ACCOUNT_COMMANDS, PARTITIONS);
        scheduler.afterEachStep(() -> {
            if (++steps % STEPS_PER_CHECK == 0) {
                invariants.check();
            }
        });
    }

    ProcessorProcess processor(String instance) {
        var processor = new ProcessorProcess(scheduler, kafka, instance, plan);
        processors.add(processor);
        return processor;
    }

    /** A command that is sent after a pause. */
    record Sent(Duration after, String account, AccountCommand command) {}

    /** Starts a client that sends the commands one after the other. */
    void send(List<Sent> commands) {
        SimulatedProcess client = scheduler.process("client");
        var unused = client.threads().platform().name("client").start(() -> {
            var settings = KafkaSettings.local("simulated:9092", PARTITIONS, "client");
            Producer<String, byte[]> producer = kafka.clientsOf(client).producer(settings.producerConfig("commands"));
            for (Sent sent : commands) {
                client.threads().parkNanos(sent.after().toNanos());
                var ignored = producer.send(new ProducerRecord<>(
                        Topics.ACCOUNT_COMMANDS.name(),
                        sent.account(),
                        Topics.ACCOUNT_COMMANDS.encode(sent.command())));
            }
            producer.flush();
        });
    }

    Instant now() {
        return scheduler.now();
    }

    /** Runs until this number of reports has ended and nothing is reserved; fails with the last lines of the trace. */
    void runUntilEnded(int reports, Duration atMost) {
        run(() -> invariants.ended().size() >= reports && invariants.reserved() == 0, atMost);
    }

    void run(BooleanSupplier until, Duration atMost) {
        boolean done;
        try {
            done = scheduler.run(until, atMost);
            invariants.check();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(failureReport("failed"), e);
        }
        if (!done) {
            throw new AssertionError(failureReport(invariants.ended().size() + " reports ended in " + atMost));
        }
    }

    /**
     * Files that workers have named to the ledger, that are no result of a report, and that are still there. What comes
     * late into the folder of a complete report in parts goes with it.
     */
    Set<String> unneededFiles() {
        answered.read(command -> {
            if (command instanceof AccountCommand.SliceDone done) {
                answeredFiles.add(done.file().name());
            } else if (command instanceof AccountCommand.Assembled assembled) {
                answeredFiles.add(assembled.file().name());
            }
        });
        answeredFiles.removeIf(file -> !files.has(file));
        Set<String> unneeded = new LinkedHashSet<>(answeredFiles);
        unneeded.removeAll(results());
        unneeded.removeIf(file -> completeFolders().anyMatch(file::startsWith));
        return unneeded;
    }

    private Stream<String> completeFolders() {
        return invariants.ended().values().stream()
                .map(ReportStatus::result)
                .filter(result -> result != null && result.parts() != null)
                .map(result -> result.file().name())
                .map(manifest -> manifest.substring(0, manifest.lastIndexOf('/') + 1));
    }

    /** Files of complete reports that are gone. */
    Set<String> lostResults() {
        Set<String> lost = results();
        lost.removeIf(files::has);
        return lost;
    }

    private Set<String> results() {
        return invariants.ended().values().stream()
                .map(ReportStatus::result)
                .filter(Objects::nonNull)
                .flatMap(ProcessorWorld::files)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The file of a report, or the manifest and the files of one in parts. */
    private static Stream<String> files(ReportStatus.Result result) {
        Stream<String> parts = result.parts() == null
                ? Stream.empty()
                : Objects.requireNonNull(result.parts().files()).stream()
                        .map(part -> part.file().name());
        return Stream.concat(Stream.of(result.file().name()), parts);
    }

    String failureReport(String what) {
        return what + ", after:\n" + String.join("\n", scheduler.trace().tail(60));
    }

    static UUID id(String name) {
        return SampleCommands.id(name);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
