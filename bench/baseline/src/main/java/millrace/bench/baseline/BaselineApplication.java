package millrace.bench.baseline;

import com.github.kagkarlsson.scheduler.boot.config.DbSchedulerCustomizer;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * What Millrace is measured beside: the same reports by one service over PostgreSQL. A request is a row and a scheduled
 * task in one transaction; the task writes the file, and schedules the webhook with the end of the report.
 */
@SpringBootApplication
public class BaselineApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BaselineApplication.class, arguments);
        System.out.println("baseline is ready");
    }

    @Bean
    DbSchedulerCustomizer virtualThreads() {
        return new DbSchedulerCustomizer() {
            @Override
            public Optional<ExecutorService> executorService() {
                return Optional.of(Executors.newVirtualThreadPerTaskExecutor());
            }
        };
    }

    @Bean
    Task<Void> renderTask(Rendering rendering) {
        return Tasks.oneTime(ReportTasks.RENDER)
                .onFailure(retries(5))
                .execute((task, context) -> rendering.render(UUID.fromString(task.getId())));
    }

    @Bean
    Task<Void> webhookTask(Webhooks webhooks) {
        return Tasks.oneTime(ReportTasks.WEBHOOK)
                .onFailure(retries(8))
                .execute((task, context) -> webhooks.send(UUID.fromString(task.getId())));
    }

    private static FailureHandler<Void> retries(int number) {
        return new FailureHandler.MaxRetriesFailureHandler<>(
                number, new FailureHandler.ExponentialBackoffFailureHandler<>(Duration.ofSeconds(1), 2));
    }
}
