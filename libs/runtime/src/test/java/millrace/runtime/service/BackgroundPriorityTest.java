package millrace.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BackgroundPriorityTest {
    private static final int LOWEST = 19;

    @Test
    void onlyThreadsOfTheFactoryGiveWay() throws Exception {
        int before = niceValue();
        int background =
                niceValueIn(BackgroundPriority.of(Thread.ofPlatform().daemon().factory()));
        assertThat(background).isEqualTo(Math.min(before + 10, LOWEST));
        assertThat(niceValue()).isEqualTo(before);
        assertThat(niceValueIn(Thread.ofPlatform().daemon().factory())).isEqualTo(before);
    }

    @Test
    void aVirtualThreadDoesNotSlowDownItsCarrier() throws Exception {
        int before = niceValueIn(Thread.ofVirtual().factory());
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            assertThat(niceValueIn(BackgroundPriority.of(Thread.ofVirtual().factory())))
                    .isEqualTo(before);
        }
    }

    private static int niceValueIn(ThreadFactory factory) throws Exception {
        var task = new FutureTask<>(BackgroundPriorityTest::niceValue);
        factory.newThread(task).start();
        return task.get();
    }

    /** Of the current thread, or of the one that carries it. */
    private static int niceValue() throws Exception {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        // The fields after the name, which may contain blanks, begin with the third.
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19 - 3]);
    }
}
