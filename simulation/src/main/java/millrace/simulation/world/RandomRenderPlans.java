package millrace.simulation.world;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import millrace.contracts.commands.RenderTask;
import millrace.simulation.plan.ReportKind;
import millrace.simulation.rendering.RenderPlan;

/** Draws the plan of each run of a task, by the report's kind, whose name is the dataset. */
final class RandomRenderPlans implements Function<RenderTask, RenderPlan> {
    private final RandomGenerator random;

    RandomRenderPlans(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public RenderPlan apply(RenderTask task) {
        return switch (task) {
            case RenderTask.RenderSlice slice -> of(kind(slice));
            case RenderTask.Assemble _ -> RenderPlan.done(millis(5, 50));
            case RenderTask.WriteManifest _ -> RenderPlan.done(millis(5, 50));
        };
    }

    private RenderPlan of(ReportKind kind) {
        return switch (kind) {
            case SMALL -> RenderPlan.done(millis(2, 20));
            case LARGE -> RenderPlan.done(millis(50, 500));
            case LONG -> RenderPlan.done(millis(1_000, 5_000));
            case FLAKY -> new RenderPlan(millis(2, 20), flaky());
            case FAILING -> new RenderPlan(millis(2, 20), RenderPlan.Ending.STORE_FAILED);
            case DEADLY -> RenderPlan.kills(millis(1, 20));
        };
    }

    private RenderPlan.Ending flaky() {
        return switch (random.nextInt(4)) {
            case 0 -> RenderPlan.Ending.ENGINE_UNAVAILABLE;
            case 1 -> RenderPlan.Ending.STORE_FAILED;
            default -> RenderPlan.Ending.DONE;
        };
    }

    private static ReportKind kind(RenderTask.RenderSlice slice) {
        return ReportKind.valueOf(slice.query().dataset().toUpperCase(Locale.ROOT));
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(random.nextInt(from, to));
    }
}
