package millrace.bench.micro;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.Measurements;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.JavaFlightRecorderProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the pure parts with JMH: validation, the ledger's decisions, numbers, signatures, rows
 * of CSV, batches of records. Prints nanoseconds and bytes of an operation. A first argument that
 * is not an option is a regular expression that chooses benchmarks.
 */
public final class MicroBench {
    private MicroBench() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws RunnerException {
        boolean chosen = arguments.length > 0 && !arguments[0].startsWith("--");
        var options = BenchOptions.parse(
                chosen ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments,
                "--forks 1 --warm-up 5 --rounds 5 --millis 1000 --profile none",
                "--warm-up 2 --rounds 2 --millis 200");
        TimeValue each = TimeValue.milliseconds(options.number("millis"));
        ChainedOptionsBuilder jmh = new OptionsBuilder()
                .include("millrace\\.bench\\.micro\\..*" + (chosen ? arguments[0] : "") + ".*")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(options.number("forks"))
                .warmupIterations(options.number("warm-up"))
                .warmupTime(each)
                .measurementIterations(options.number("rounds"))
                .measurementTime(each)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT);
        if (!options.text("profile").equals("none")) {
            jmh.addProfiler(
                    JavaFlightRecorderProfiler.class,
                    "dir=" + Path.of(options.text("profile")).toAbsolutePath());
        }
        Collection<RunResult> results = new Runner(jmh.build()).run();
        System.out.printf(Locale.ROOT, "%-46s %-30s %s%n", "", "ns", "bytes");
        results.forEach(MicroBench::print);
    }

    @SuppressWarnings("SystemOut")
    private static void print(RunResult result) {
        List<Double> nanos = new ArrayList<>();
        result.getBenchmarkResults().forEach(fork -> fork.getIterationResults()
                .forEach(round -> nanos.add(round.getPrimaryResult().getScore())));
        Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
        String name = result.getParams().getBenchmark().replaceFirst(".*\\.(\\w+)Micro\\.", "$1.");
        String parameters = result.getParams().getParamsKeys().stream()
                .map(key -> " " + key + "=" + result.getParams().getParam(key))
                .collect(Collectors.joining());
        System.out.printf(
                Locale.ROOT,
                "%-46s %-30s %,.0f%n",
                name + parameters,
                Measurements.of(nanos),
                bytes == null ? Double.NaN : bytes.getScore());
    }
}
