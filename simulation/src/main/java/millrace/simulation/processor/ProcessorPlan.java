package millrace.simulation.processor;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.contracts.commands.RenderTask;
import millrace.processor.ledger.account.LedgerRules;
import millrace.processor.rendering.worker.RenderSettings;
import millrace.processor.warehouse.DataVersions;
import millrace.simulation.rendering.RenderPlan;
import millrace.simulation.rendering.SimulatedFiles;

/**
 * How the processors of a simulation work.
 *
 * @param files of all processors
 * @param runs what each run of a task does
 * @param interruptedAlone told of a report whose slice had a process to itself when the process was killed or paused from outside
 * @param restart how long the supervisor takes to start a process that has died
 */
public record ProcessorPlan(
        LedgerRules rules,
        DataVersions versions,
        RenderSettings rendering,
        SimulatedFiles files,
        Function<RenderTask, RenderPlan> runs,
        Consumer<UUID> interruptedAlone,
        Supplier<Duration> restart) {}
