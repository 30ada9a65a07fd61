package millrace.simulation.processor;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.contracts.commands.RenderTask;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.warehouse.DataVersions;
import millrace.simulation.rendering.RenderPlan;
import millrace.simulation.rendering.SimulatedFiles;

/**
 * The environment of the processors of a simulation.
 *
 * @param files of all processors
 * @param runs returns the plan of each run of a task
 * @param interruptedAlone receives a report whose slice ran alone in a process when the process was killed or paused by
 *     a fault
 * @param restart time until the supervisor starts a process that has died
 */
public record ProcessorPlan(
        LedgerRules rules,
        DataVersions versions,
        RenderSettings rendering,
        SimulatedFiles files,
        Function<RenderTask, RenderPlan> runs,
        Consumer<UUID> interruptedAlone,
        Supplier<Duration> restart) {}
