package millrace.simulation.world;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The command {@code simulation/run}: runs seeds, and shortens the plan of a failing seed to the actions that matter.
 */
public final class SimulationMain {
    static final String USAGE = """
            Runs the ledger, the render workers and the notifier on a simulated Kafka, clock and network, seed by seed.

            usage: simulation/run [--from 0] [--seeds 1000 | --minutes 120]
                   simulation/run --seed 4711 [--trace]

              --from     the first seed
              --seeds    how many seeds to run
              --minutes  run seeds for so long
              --seed     run this one, and say what happened in it
              --trace    with --seed: print the last lines of the trace, also where nothing fails
            """;
    private static final int SHORTENING_RUNS = 300;
    private static final Duration PROGRESS = Duration.ofMinutes(1);

    private SimulationMain() {}

    /** Exit codes: 0 all seeds hold, 1 one fails, 2 wrong arguments. */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        List<String> given = Arrays.asList(arguments);
        try {
            if (given.contains("--help")) {
                out.print(USAGE);
                return 0;
            }
            if (given.contains("--seed")) {
                return one(number(given, "--seed", 0), given.contains("--trace"), out);
            }
            long minutes = number(given, "--minutes", 0);
            long seeds = number(given, "--seeds", minutes > 0 ? Long.MAX_VALUE : 1_000);
            return many(number(given, "--from", 0), seeds, minutes, out);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
    }

    private static int one(long seed, boolean trace, PrintStream out) {
        SimulationResult outcome = Simulation.run(seed);
        out.printf(
                Locale.ROOT,
                "seed %d: %s; %.1f s simulated, trace %016x%n",
                seed,
                outcome.failed() ? "fails" : "holds",
                outcome.simulated().toMillis() / 1e3,
                outcome.traceHash());
        outcome.plan().actions().forEach(action -> out.println("  " + action));
        if (trace || outcome.failed()) {
            outcome.trace().forEach(out::println);
        }
        if (outcome.failed()) {
            report(outcome, out);
        }
        return outcome.failed() ? 1 : 0;
    }

    private static int many(long from, long seeds, long minutes, PrintStream out) {
        long began = System.nanoTime();
        long end = minutes > 0 ? began + Duration.ofMinutes(minutes).toNanos() : Long.MAX_VALUE;
        long nextProgress = began + PROGRESS.toNanos();
        long run = 0;
        for (; run < seeds && System.nanoTime() < end; run++) {
            SimulationResult outcome = Simulation.run(from + run);
            if (outcome.failed()) {
                report(outcome, out);
                return 1;
            }
            if (System.nanoTime() > nextProgress) {
                nextProgress += PROGRESS.toNanos();
                out.printf(Locale.ROOT, "%d seeds hold, up to seed %d%n", run + 1, from + run);
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf(
                Locale.ROOT, "%d seeds hold; %.0f s, %.1f ms each%n", run, seconds, seconds * 1e3 / Math.max(1, run));
        return 0;
    }

    /** Prints the failure, how to repeat it, and which actions matter. */
    static void report(SimulationResult failed, PrintStream out) {
        SimulationResult shortest = new Shrinker(Simulation::run, SHORTENING_RUNS).shrink(failed);
        out.printf(Locale.ROOT, "seed %d fails: %s%n", failed.plan().seed(), failed.failure());
        out.printf(
                Locale.ROOT,
                "  repeat it with: simulation/run --seed %d%n",
                failed.plan().seed());
        out.printf(
                Locale.ROOT,
                "  the actions that matter, %d of %d (%s):%n",
                shortest.plan().actions().size(),
                failed.plan().actions().size(),
                shortest.failure());
        shortest.plan().actions().forEach(action -> out.println("    " + action));
    }

    private static long number(List<String> given, String name, long otherwise) {
        int at = given.indexOf(name);
        if (at < 0) {
            return otherwise;
        }
        try {
            return Long.parseLong(given.get(at + 1));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(name + " needs a number; see --help", e);
        }
    }
}
