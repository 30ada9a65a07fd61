package millrace.processor.rendering.rows;

import java.io.IOException;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.requests.FileFormat;
import millrace.files.store.ReportStore;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.rendering.tasks.TaskRunner;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.telemetry.ServiceLogs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Runs tasks: renders slices and assembles reports. It does not use Kafka. */
public final class TaskRenderer implements TaskRunner {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRenderer.class);
    /** Characters. It is part of the report's status as long as that is known. */
    private static final int LONGEST_CAUSE = 500;

    private final SliceRenderer renderer;
    private final ReportStore store;
    private final ServiceThreads threads;
    private final Supplier<UUID> executionIds;

    /** @param executionIds returns a new id for each run, which is part of the name of its file */
    public TaskRenderer(
            SliceRenderer renderer, ReportStore store, ServiceThreads threads, Supplier<UUID> executionIds) {
        this.renderer = renderer;
        this.store = store;
        this.threads = threads;
        this.executionIds = executionIds;
    }

    /** Returns failures as answers; only errors of the JVM are thrown. */
    @Override
    public AccountCommand run(RenderTask given, Consumer<RunningTask> running) {
        SliceRef slice = given.slice();
        try {
            return switch (given) {
                case RenderTask.RenderSlice task -> render(task, running);
                case RenderTask.Assemble task ->
                    new AccountCommand.Assembled(
                            slice,
                            renderer.assemble(
                                    fileName(slice, whole(slice), format(task).extension()), task.parts()));
                case RenderTask.WriteManifest task ->
                    new AccountCommand.Assembled(
                            slice, renderer.writeManifest(fileName(slice, "manifest", ReportManifest.EXTENSION), task));
            };
        } catch (WarehouseException e) {
            if (e.reason() == Reason.CANCELLED) {
                return cancelled(slice);
            }
            pause(e, slice);
            return failed(given, code(e), "The data could not be read.", e);
        } catch (IOException e) {
            return failed(given, ErrorCode.RENDER_FAILED, "A file could not be read or written.", e);
        } catch (RuntimeException e) {
            return failed(given, ErrorCode.RENDER_FAILED, "The report could not be rendered.", e);
        }
    }

    private AccountCommand render(RenderTask.RenderSlice task, Consumer<RunningTask> running)
            throws WarehouseException, IOException {
        SliceRef slice = task.slice();
        String name = fileName(
                slice,
                Integer.toString(slice.slice()),
                task.query().output().fileFormat().extension());
        var runningSlice = new RunningSlice();
        running.accept(runningSlice);
        SliceRenderer.Rendered rendered = renderer.render(task, name, runningSlice);
        return new AccountCommand.SliceDone(
                slice, rendered.file(), rendered.counts(), rendered.skipped() == 0 ? null : rendered.skipped());
    }

    @Override
    public void discard(AccountCommand answer) {
        try {
            if (answer instanceof AccountCommand.SliceDone done) {
                store.delete(done.file().name());
            } else if (answer instanceof AccountCommand.Assembled assembled) {
                store.delete(assembled.file().name());
            }
        } catch (IOException e) {
            LOG.warn("unneeded file not deleted, a listing will find it error={}", e.getMessage());
        }
    }

    private static String whole(SliceRef slice) {
        return slice.namesPart() ? "part_" + (slice.part() + 1) : "report";
    }

    private static FileFormat format(RenderTask.Assemble task) {
        return FileFormat.ofName(task.parts().getFirst().name());
    }

    private String fileName(SliceRef slice, String what, String extension) {
        String file = what + "-" + executionIds.get() + "." + extension;
        return EndedReport.folder(slice.reportId(), slice.attempt()) + file;
    }

    /**
     * Delays the answer, longer with each dispatch, because the ledger hands the slice out again as soon as it has the
     * answer.
     */
    private void pause(WarehouseException e, SliceRef slice) {
        if (e.reason() != Reason.UNAVAILABLE || slice.dispatch() >= LedgerRules.DISPATCHES) {
            return;
        }
        try {
            threads.sleep(e.pause().multipliedBy(slice.dispatch()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static ErrorCode code(WarehouseException e) {
        return switch (e.reason()) {
            case MISSING, UNAVAILABLE -> ErrorCode.DATASET_UNAVAILABLE;
            case FAILED, NOT_SORTED, CANCELLED -> ErrorCode.RENDER_FAILED;
        };
    }

    /** By a client, by the take-over of the slice or by the stop of this process; nobody takes the answer. */
    private static AccountCommand cancelled(SliceRef slice) {
        LOG.atDebug().addKeyValue(ServiceLogs.REPORT, slice.reportId()).log("slice cancelled slice={}", slice);
        return new AccountCommand.SliceFailed(slice, ErrorCode.RENDER_FAILED, "The slice was cancelled.");
    }

    /** The ledger hands the slice out again, which fails in the same way mostly: the last failure has the stack trace. */
    private static AccountCommand failed(RenderTask task, ErrorCode code, String message, Exception error) {
        SliceRef slice = task.slice();
        String cause = cause(error);
        boolean last = slice.dispatch() >= LedgerRules.DISPATCHES;
        LoggingEventBuilder event = last ? LOG.atWarn().setCause(error) : LOG.atWarn();
        event.addKeyValue(ServiceLogs.REPORT, slice.reportId())
                .addKeyValue(ServiceLogs.ACCOUNT, task.accountId())
                .log(
                        "slice failed{} reportId={} account={} slice={} try={} cause={}",
                        last ? "" : ", it is tried again",
                        slice.reportId(),
                        task.accountId(),
                        slice.slice(),
                        slice.dispatch(),
                        cause);
        return new AccountCommand.SliceFailed(slice, code, message, null, cause);
    }

    /** What was thrown, and what that came from, in one line. */
    private static String cause(Throwable thrown) {
        StringJoiner words = new StringJoiner("; caused by ");
        for (Throwable e = thrown; e != null && words.length() < LONGEST_CAUSE; e = e.getCause()) {
            words.add(e.toString());
        }
        String line = words.toString().replaceAll("\\s+", " ");
        return line.substring(0, Math.min(line.length(), LONGEST_CAUSE));
    }
}
