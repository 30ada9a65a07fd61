package millrace.simulation.rendering;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.processor.rendering.tasks.TaskRunner;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import millrace.simulation.kernel.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/** Runs each task for a simulated time and ends it as planned. Each entity of a slice is a row. */
public final class SimulatedRenderer implements TaskRunner {
    private static final long LONG = Duration.ofHours(1).toNanos();

    private final SimulatedProcess process;
    private final SimulatedFiles files;
    private final Function<RenderTask, RenderPlan> plans;
    private final List<SliceRef> running = new ArrayList<>();
    private @Nullable SliceRef lastEnded;

    /** @param plans returns the plan of each run of a task */
    public SimulatedRenderer(SimulatedProcess process, SimulatedFiles files, Function<RenderTask, RenderPlan> plans) {
        this.process = process;
        this.files = files;
        this.plans = plans;
    }

    /**
     * The report whose slice runs alone in this process, or was the last to run and may wait for its acknowledgement.
     */
    public Optional<UUID> alone() {
        return switch (running.size()) {
            case 0 -> Optional.ofNullable(lastEnded).map(SliceRef::reportId);
            case 1 -> Optional.of(running.getFirst().reportId());
            default -> Optional.empty();
        };
    }

    @Override
    public AccountCommand run(RenderTask task, Consumer<RunningTask> onRunning) {
        running.add(task.slice());
        try {
            return run(task);
        } finally {
            running.remove(task.slice());
            lastEnded = task.slice();
        }
    }

    private AccountCommand run(RenderTask task) {
        RenderPlan plan = plans.apply(task);
        process.scheduler().trace().add(process.name() + " runs " + name(task.slice()) + ", " + plan.ending());
        try {
            process.threads().sleep(plan.time());
        } catch (InterruptedException e) {
            return failed(task, ErrorCode.RENDER_FAILED);
        }
        return switch (plan.ending()) {
            case DONE -> done(task);
            case NO_DATA, ENGINE_UNAVAILABLE -> failed(task, ErrorCode.DATASET_UNAVAILABLE);
            case STORE_FAILED -> failed(task, ErrorCode.RENDER_FAILED);
            case KILLS -> {
                process.kill();
                throw new IllegalStateException("a dead process goes on");
            }
            case HANGS -> {
                hang();
                throw new IllegalStateException("a thread that hangs goes on");
            }
        };
    }

    /** Blocks as a call that cannot be interrupted. */
    private void hang() {
        while (process.alive()) {
            process.threads().parkNanos(LONG);
            var unused = Thread.interrupted();
        }
    }

    private AccountCommand done(RenderTask task) {
        SliceRef slice = task.slice();
        return switch (task) {
            case RenderTask.RenderSlice render -> {
                long rows = render.query().entities().size();
                yield new AccountCommand.SliceDone(slice, file(name(slice)), new ResultCounts(rows, rows, 0));
            }
            case RenderTask.Assemble assemble
            when assemble.parts().stream().allMatch(part -> files.has(part.name())) ->
                new AccountCommand.Assembled(slice, file(name(slice)));
            case RenderTask.Assemble assemble -> failed(task, ErrorCode.RENDER_FAILED);
            case RenderTask.WriteManifest manifest
            when manifest.manifest().files().stream()
                    .allMatch(part -> files.has(part.file().name())) ->
                new AccountCommand.Assembled(slice, file(name(slice)));
            case RenderTask.WriteManifest manifest -> failed(task, ErrorCode.RENDER_FAILED);
        };
    }

    private StoredFile file(String prefix) {
        return new StoredFile(files.create(prefix), 1, "00");
    }

    private static AccountCommand failed(RenderTask task, ErrorCode code) {
        return new AccountCommand.SliceFailed(task.slice(), code, "as planned");
    }

    private static String name(SliceRef slice) {
        return slice.reportId() + "/" + slice.attempt() + "/" + slice.slice();
    }

    @Override
    public void discard(AccountCommand answer) {
        if (answer instanceof AccountCommand.SliceDone done) {
            files.delete(done.file().name());
        } else if (answer instanceof AccountCommand.Assembled assembled) {
            files.delete(assembled.file().name());
        }
    }
}
