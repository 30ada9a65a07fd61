package millrace.bench.micro;

import java.util.Random;
import millrace.processor.rendering.formats.NumberText;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Formats numbers as files have them. Figures are per number. */
@State(Scope.Benchmark)
public class NumbersMicro {
    private static final int COUNT = 1_000;

    /** Decimals; 17 means any double. */
    @Param({"0", "2", "6", "17"})
    public int decimals;

    private final double[] numbers = new double[COUNT];

    @Setup
    public void write() {
        var random = new Random(1);
        double scale = Math.pow(10, decimals);
        for (int i = 0; i < COUNT; i++) {
            double number = random.nextDouble() * 100_000;
            numbers[i] = decimals == 17 ? number : Math.rint(number * scale) / scale;
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void text(Blackhole hole) {
        for (double number : numbers) {
            hole.consume(NumberText.of(number));
        }
    }

    /** Java's own format, which is not always that of files. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void javaText(Blackhole hole) {
        for (double number : numbers) {
            hole.consume(Double.toString(number));
        }
    }
}
