package millrace.runtime.service;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets threads of bulk work give way where the machine has too few cores for all. On Linux such a
 * thread has a nice value 10 above the others', which any user may choose; elsewhere it is as any
 * other. The JVM's own thread priorities are ignored on Linux.
 */
public final class BackgroundPriority {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundPriority.class);
    private static final int INCREMENT = 10;
    private static final @Nullable MethodHandle NICE = nice();

    private BackgroundPriority() {}

    /** A factory whose platform threads have the background priority. Virtual threads have none. */
    public static ThreadFactory of(ThreadFactory factory) {
        return work -> factory.newThread(() -> {
            lower();
            work.run();
        });
    }

    /** Lowers the priority of the current platform thread, for ever. */
    private static void lower() {
        if (NICE == null || Thread.currentThread().isVirtual()) {
            return;
        }
        try {
            int result = (int) NICE.invokeExact(INCREMENT);
            LOG.debug("priority lowered nice={}", result);
        } catch (Throwable e) {
            LOG.debug("priority not lowered", e);
        }
    }

    @SuppressWarnings("restricted") // native access is enabled wherever Millrace starts
    private static @Nullable MethodHandle nice() {
        // Linux has a nice value for each thread, other systems one for the process.
        if (!System.getProperty("os.name").equals("Linux")) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("nice")
                .map(address -> linker.downcallHandle(
                        address, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)))
                .orElse(null);
    }
}
