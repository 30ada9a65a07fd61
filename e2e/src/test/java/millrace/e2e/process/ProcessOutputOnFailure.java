package millrace.e2e.process;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Prints the output of the processes of a failed test, since on a build machine nothing else is kept. */
public final class ProcessOutputOnFailure implements TestWatcher, BeforeTestExecutionCallback {
    private static final int LINES = 400;
    private static final List<MainProcess> STARTED = new CopyOnWriteArrayList<>();

    static void started(MainProcess process) {
        STARTED.add(process);
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        STARTED.removeIf(p -> !p.isAlive());
    }

    @Override
    @SuppressWarnings("SystemOut") // it is the test's report
    public void testFailed(ExtensionContext context, Throwable cause) {
        for (MainProcess process : STARTED) {
            List<String> lines = process.output().lines().toList();
            System.out.println("---- process " + process.pid() + ", the last of " + lines.size() + " lines:");
            lines.stream().skip(Math.max(0, lines.size() - LINES)).forEach(System.out::println);
        }
    }
}
