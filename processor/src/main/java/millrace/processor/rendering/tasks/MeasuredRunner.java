package millrace.processor.rendering.tasks;

import io.opentelemetry.api.trace.Span;
import millrace.contracts.commands.AccountCommand;
import millrace.runtime.service.ServiceThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks on the calling thread, and measures and traces them. */
record MeasuredRunner(TaskRunner runner, ServiceThreads threads) {
    private static final Logger LOG = LoggerFactory.getLogger(MeasuredRunner.class);

    /** @param nanos that the run took */
    record Measured(AccountCommand answer, long nanos) {}

    Measured run(TaskExecution execution) {
        long begin = threads.nanoTime();
        long waited = threads.clock().millis() - execution.handedOutAt();
        Span span = SliceSpan.begin(execution);
        AccountCommand answer = runner.run(execution.task(), execution::started);
        SliceSpan.end(span, answer);
        long took = threads.nanoTime() - begin;
        LOG.debug(
                "slice ended slice={} waitMillis={} runMillis={}",
                execution.task().slice(),
                waited,
                took / 1_000_000);
        return new Measured(answer, took);
    }
}
