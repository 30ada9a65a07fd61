package millrace.e2e;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Prints what the processes of a failed test had to say: on another machine there is nothing else to look at. These are all that
 * were started since its class began, since tests of two classes run at once.
 */
public final class SaysWhatHappened implements TestWatcher, BeforeAllCallback {
    private static final int LINES = 400;
    private static final List<Program> STARTED = new CopyOnWriteArrayList<>();

    static void started(Program process) {
        STARTED.add(process);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        store(context).put("before", STARTED.size());
    }

    @Override
    @SuppressWarnings("SystemOut") // it is the test's report
    public void testFailed(ExtensionContext context, Throwable cause) {
        int before = store(context).getOrDefault("before", Integer.class, 0);
        for (Program process : STARTED.subList(before, STARTED.size())) {
            List<String> said = process.output().lines().toList();
            System.out.println("---- process " + process.pid() + ", the last of " + said.size() + " lines:");
            said.stream().skip(Math.max(0, said.size() - LINES)).forEach(System.out::println);
        }
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(
                ExtensionContext.Namespace.create(SaysWhatHappened.class, context.getRequiredTestClass()));
    }
}
