package millrace.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;

class BackgroundTaskTest {
    @Test
    void worksWhileTheCallerGoesOn() {
        var goneOn = new CountDownLatch(1);
        BackgroundTask<String> work = BackgroundTask.start("work", () -> {
            goneOn.await();
            return Thread.currentThread().getName();
        });
        goneOn.countDown();
        assertThat(work.await()).isEqualTo("work");
        assertThat(work.await()).isEqualTo("work");
    }

    @Test
    void throwsWhatTheWorkThrew() {
        var wrong = new SettingsException("wrong");
        assertThatThrownBy(() -> failing(() -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
        assertThatThrownBy(() -> failing(() -> {
                    throw new IOException("full");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage("full");
    }

    private static void failing(Callable<String> work) {
        BackgroundTask.start("work", work).await();
    }
}
