package millrace.gateway.commands;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.commands.AccountCommand.RetryReport;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.gateway.admission.Admission;
import millrace.gateway.admission.Caller;
import millrace.gateway.admission.SubmissionId;
import millrace.gateway.readmodel.ReadModel;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.telemetry.ServiceLogs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports on their way in: admitted against what is known here, then appended. */
@Singleton
public final class Submissions {
    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    private final Map<UUID, CompletableFuture<SubmissionOutcome>> inProgress = new ConcurrentHashMap<>();
    private final ReadModel model;
    private final CommandLog log;
    private final GatewaySettings settings;
    private final InstantSource clock;
    private final RequestListWriter lists;
    private final ReportIdSource ids;
    private final DiskSpaceMonitor disk;

    Submissions(
            ReadModel model,
            CommandLog log,
            RequestListWriter lists,
            GatewaySettings settings,
            InstantSource clock,
            ReportIdSource ids,
            DiskSpaceMonitor disk) {
        this.model = model;
        this.log = log;
        this.lists = lists;
        this.settings = settings;
        this.clock = clock;
        this.ids = ids;
        this.disk = disk;
    }

    /** Ids for reports without an Idempotency-Key. */
    @FunctionalInterface
    public interface ReportIdSource {
        UUID next();
    }

    /** @param idempotencyKey as the client sent it, or null */
    public CompletableFuture<SubmissionOutcome> submit(
            Caller caller, CheckedRequest.Valid valid, @Nullable String idempotencyKey, String traceparent) {
        SubmissionId id = SubmissionId.of(caller.accountId(), idempotencyKey, valid.request(), ids::next);
        var command = new RequestReport(
                id.reportId(),
                valid.request(),
                valid.quote(),
                id.idempotency(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                traceparent);
        byte[] encoded = Topics.ACCOUNT_COMMANDS.encode(command);
        if (encoded.length > GatewaySettings.MAX_COMMAND_BYTES) {
            return now(new SubmissionOutcome.TooLarge(encoded.length));
        }
        var mine = new CompletableFuture<SubmissionOutcome>();
        CompletableFuture<SubmissionOutcome> first = inProgress.putIfAbsent(id.reportId(), mine);
        if (first != null) {
            return first.thenApply(Submissions::again);
        }
        return admit(
                caller,
                id,
                valid.quote().credits(),
                () -> writeLists(caller.accountId(), id, valid)
                        ? append(caller.accountId(), id, command, encoded)
                        : now(new SubmissionOutcome.StoreUnavailable()),
                mine);
    }

    /** Of a report that failed; what may be retried at all has been checked. */
    public CompletableFuture<SubmissionOutcome> retry(Caller caller, ReportStatus report) {
        var id = new SubmissionId(report.reportId(), null);
        var mine = new CompletableFuture<SubmissionOutcome>();
        if (inProgress.putIfAbsent(id.reportId(), mine) != null) {
            return now(new SubmissionOutcome.Underway(id.reportId()));
        }
        var command = new RetryReport(report.reportId(), report.attempt() + 1);
        return admit(
                caller,
                id,
                report.estimatedCredits(),
                () -> append(caller.accountId(), id, command, Topics.ACCOUNT_COMMANDS.encode(command)),
                mine);
    }

    private CompletableFuture<SubmissionOutcome> admit(
            Caller caller,
            SubmissionId id,
            long credits,
            Supplier<CompletableFuture<SubmissionOutcome>> append,
            CompletableFuture<SubmissionOutcome> mine) {
        CompletableFuture<SubmissionOutcome> outcome;
        try {
            outcome = outcome(caller, id, credits, append);
        } catch (RuntimeException e) {
            model.withdraw(caller.accountId(), id.reportId(), id.idempotency());
            outcome = CompletableFuture.failedFuture(e);
        }
        return outcome.whenComplete((submitted, failure) -> {
            inProgress.remove(id.reportId());
            if (failure == null) {
                mine.complete(submitted);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<SubmissionOutcome> outcome(
            Caller caller, SubmissionId id, long credits, Supplier<CompletableFuture<SubmissionOutcome>> append) {
        Admission admission =
                model.admit(caller.accountId(), id.reportId(), id.idempotency(), credits, openLimit(caller));
        return switch (admission) {
            case Admission.Admitted() -> {
                if (disk.hasRoomForReports()) {
                    yield append.get();
                }
                model.withdraw(caller.accountId(), id.reportId(), id.idempotency());
                yield now(new SubmissionOutcome.LowDiskSpace());
            }
            case Admission.Known(UUID known) -> now(new SubmissionOutcome.Replayed(known));
            case Admission.KeyTaken() -> now(new SubmissionOutcome.KeyTaken());
            case Admission.NotEnoughCredits(long estimate, long remaining) ->
                now(new SubmissionOutcome.NotEnoughCredits(estimate, remaining));
            case Admission.TooManyOpen(int limit) -> now(new SubmissionOutcome.TooManyOpen(limit));
        };
    }

    /** What a command names is there before the command is; false where it cannot be kept. */
    private boolean writeLists(String accountId, SubmissionId id, CheckedRequest.Valid valid) {
        try {
            lists.write(accountId, id.reportId(), valid);
            return true;
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue(ServiceLogs.REPORT, id.reportId())
                    .log("the lists of report {} cannot be kept: {}", id.reportId(), e.toString());
            model.withdraw(accountId, id.reportId(), id.idempotency());
            return false;
        }
    }

    private CompletableFuture<SubmissionOutcome> append(
            String accountId, SubmissionId id, AccountCommand command, byte[] encoded) {
        return log.append(accountId, command, encoded).handle((at, failure) -> {
            if (failure == null) {
                if (command instanceof RequestReport request) {
                    ServiceLogs.report(request.reportId(), accountId, request.traceparent(), "accepted");
                }
                return new SubmissionOutcome.Accepted(id.reportId());
            }
            LOG.atWarn()
                    .addKeyValue(ServiceLogs.REPORT, id.reportId())
                    .addKeyValue(ServiceLogs.ACCOUNT, accountId)
                    .log("report {} was not acknowledged: {}", id.reportId(), failure.toString());
            model.withdraw(accountId, id.reportId(), id.idempotency());
            return new SubmissionOutcome.Unacknowledged(id.reportId());
        });
    }

    private static CompletableFuture<SubmissionOutcome> now(SubmissionOutcome submitted) {
        return CompletableFuture.completedFuture(submitted);
    }

    private static SubmissionOutcome again(SubmissionOutcome first) {
        return first instanceof SubmissionOutcome.Accepted(UUID reportId)
                ? new SubmissionOutcome.Replayed(reportId)
                : first;
    }

    private int openLimit(Caller caller) {
        DeclaredAccount.Limits limits = caller.account().limits();
        Integer own = limits == null ? null : limits.openReports();
        return own == null ? settings.openReports() : own;
    }
}
