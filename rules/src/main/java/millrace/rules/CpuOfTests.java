package millrace.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes what the tests of this JVM cost to {@code target/cpu/<pid>.csv}: a line for each class, and one without a class for the
 * start of the JVM. {@link BuildReport} adds them up. A line is {@code class,CPU seconds}; processes that a class started count as its,
 * and where classes run at once, what they cost together counts as that of the one that ends.
 */
public final class CpuOfTests implements TestExecutionListener {
    private final long pid = ProcessHandle.current().pid();
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private double before;

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        add("");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(ClassSource.class::cast)
                .ifPresent(source -> add(source.getClassName()));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        add("");
        String lines = seconds.entrySet().stream()
                .map(one -> String.format(Locale.ROOT, "%s,%.2f%n", one.getKey(), one.getValue()))
                .collect(Collectors.joining());
        try {
            Files.writeString(Files.createDirectories(Path.of("target", "cpu")).resolve(pid + ".csv"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void add(String name) {
        double now = CpuTime.of(pid).total();
        seconds.merge(name, now - before, Double::sum);
        before = now;
    }
}
