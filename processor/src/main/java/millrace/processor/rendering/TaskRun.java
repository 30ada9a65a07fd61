package millrace.processor.rendering;

import java.io.IOException;
import java.util.UUID;
import java.util.function.Supplier;
import millrace.contracts.AccountCommand;
import millrace.contracts.ErrorCode;
import millrace.contracts.FileFormat;
import millrace.contracts.PartFile;
import millrace.contracts.RenderTask;
import millrace.contracts.SliceRef;
import millrace.files.ReportStore;
import millrace.processor.account.Rules;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import millrace.runtime.Logs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what a task says and puts the outcome into words for the ledger. Knows nothing of Kafka. */
final class TaskRun {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRun.class);

    private final SliceRenderer renderer;
    private final ReportStore store;
    private final Supplier<UUID> executionIds;

    TaskRun(SliceRenderer renderer, ReportStore store, Supplier<UUID> executionIds) {
        this.renderer = renderer;
        this.store = store;
        this.executionIds = executionIds;
    }

    /** The answer; failures are answers too. Errors of the virtual machine are thrown. */
    AccountCommand answer(Execution execution) {
        SliceRef slice = execution.task().slice();
        try {
            return switch (execution.task()) {
                case RenderTask.RenderSlice task -> {
                    Rendering rendering = renderer.rendering(
                            task,
                            fileName(
                                    slice,
                                    Integer.toString(slice.slice()),
                                    task.query().output().fileFormat()));
                    execution.renders(rendering);
                    RenderedSlice rendered = rendering.run();
                    yield new AccountCommand.SliceDone(slice, rendered.file(), rendered.counts());
                }
                case RenderTask.Assemble task ->
                    new AccountCommand.Assembled(
                            slice, renderer.assemble(fileName(slice, "report", format(task)), task.parts()));
            };
        } catch (WarehouseException e) {
            pause(e, slice);
            return failed(slice, code(e), "The data could not be read.", e);
        } catch (IOException e) {
            return failed(slice, ErrorCode.RENDER_FAILED, "A file could not be read or written.", e);
        } catch (RuntimeException e) {
            return failed(slice, ErrorCode.RENDER_FAILED, "The report could not be rendered.", e);
        }
    }

    /** Removes the file of an answer that nobody will get. */
    void discard(AccountCommand answer) {
        try {
            if (answer instanceof AccountCommand.SliceDone done) {
                store.delete(done.file().name());
            } else if (answer instanceof AccountCommand.Assembled assembled) {
                store.delete(assembled.file().name());
            }
        } catch (IOException e) {
            LOG.warn("a file that nobody needs is left to the sweeper: {}", e.getMessage());
        }
    }

    /** The whole report is there, so its parts go: until now they and it took twice the room. */
    void discardParts(RenderTask.Assemble task) {
        for (PartFile part : task.parts()) {
            try {
                store.delete(part.name());
            } catch (IOException e) {
                LOG.warn("a part that nobody needs is left to the sweeper: {}", e.getMessage());
            }
        }
    }

    private static FileFormat format(RenderTask.Assemble task) {
        return FileFormat.ofName(task.parts().getFirst().name());
    }

    private String fileName(SliceRef slice, String part, FileFormat format) {
        String file = part + "-" + executionIds.get() + "." + format.extension();
        return slice.reportId() + "/" + slice.attempt() + "/" + file;
    }

    /** The ledger hands the slice out again as soon as it has the answer, so the answer waits, each time longer. */
    private static void pause(WarehouseException e, SliceRef slice) {
        if (e.reason() != Reason.AWAY || slice.dispatch() >= Rules.DISPATCHES) {
            return;
        }
        try {
            Thread.sleep(e.pause().multipliedBy(slice.dispatch()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static ErrorCode code(WarehouseException e) {
        return switch (e.reason()) {
            case UNAVAILABLE, AWAY -> ErrorCode.DATASET_UNAVAILABLE;
            case FAILED, NOT_SORTED, CANCELLED -> ErrorCode.RENDER_FAILED;
        };
    }

    private static AccountCommand failed(SliceRef slice, ErrorCode code, String message, Exception cause) {
        LOG.atWarn()
                .setCause(cause)
                .addKeyValue(Logs.REPORT, slice.reportId())
                .log("{} failed: {}", slice, cause.toString());
        return new AccountCommand.SliceFailed(slice, code, message);
    }
}
