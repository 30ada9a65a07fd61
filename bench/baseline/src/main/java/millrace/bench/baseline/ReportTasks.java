package millrace.bench.baseline;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import java.time.Instant;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Schedules the tasks of reports. */
@Component
class ReportTasks {
    static final TaskDescriptor<Void> RENDER = TaskDescriptor.of("render");
    static final TaskDescriptor<Void> WEBHOOK = TaskDescriptor.of("webhook");

    /** Asked for when it is used, because the scheduler needs the tasks first. */
    private final ObjectProvider<Scheduler> scheduler;

    ReportTasks(ObjectProvider<Scheduler> scheduler) {
        this.scheduler = scheduler;
    }

    /** In the caller's transaction; the task begins when that has committed, and not at the next poll. */
    void schedule(TaskDescriptor<Void> task, UUID report) {
        Scheduler tasks = scheduler.getObject();
        tasks.scheduleIfNotExists(task.instance(report.toString()).scheduledTo(Instant.now()));
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                tasks.triggerCheckForDueExecutions();
            }
        });
    }
}
