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
import millrace.catalog.Checked;
import millrace.contracts.AccountCommand;
import millrace.contracts.AccountCommand.RequestReport;
import millrace.contracts.AccountCommand.RetryReport;
import millrace.contracts.ReportStatus;
import millrace.contracts.Topics;
import millrace.gateway.GatewaySettings;
import millrace.gateway.admission.Admission;
import millrace.gateway.admission.Caller;
import millrace.gateway.admission.ReportIds;
import millrace.gateway.model.ReadModel;
import millrace.runtime.Account;
import millrace.runtime.DiskSpace;
import millrace.runtime.Logs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports on their way in: admitted against what is known here, then appended. */
@Singleton
public final class Submissions {
    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    private final Map<UUID, CompletableFuture<Submitted>> underway = new ConcurrentHashMap<>();
    private final ReadModel model;
    private final CommandLog log;
    private final GatewaySettings settings;
    private final InstantSource clock;
    private final RequestLists lists;
    private final ReportIdSource ids;
    private final DiskSpace disk;

    Submissions(
            ReadModel model,
            CommandLog log,
            RequestLists lists,
            GatewaySettings settings,
            InstantSource clock,
            ReportIdSource ids,
            DiskSpace disk) {
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
    public CompletableFuture<Submitted> submit(
            Caller caller, Checked.Valid valid, @Nullable String idempotencyKey, String traceparent) {
        ReportIds id = ReportIds.of(caller.accountId(), idempotencyKey, valid.request(), ids::next);
        var command = new RequestReport(
                id.reportId(),
                valid.request(),
                valid.quote(),
                id.idempotency(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                traceparent);
        byte[] encoded = Topics.ACCOUNT_COMMANDS.encode(command);
        if (encoded.length > GatewaySettings.MAX_COMMAND_BYTES) {
            return now(new Submitted.TooLarge(encoded.length));
        }
        var mine = new CompletableFuture<Submitted>();
        CompletableFuture<Submitted> first = underway.putIfAbsent(id.reportId(), mine);
        if (first != null) {
            return first.thenApply(Submissions::again);
        }
        return admit(
                caller,
                id,
                valid.quote().credits(),
                () -> writeLists(caller.accountId(), id, valid)
                        ? append(caller.accountId(), id, command, encoded)
                        : now(new Submitted.StoreAway()),
                mine);
    }

    /** Of a report that failed; what may be retried at all has been checked. */
    public CompletableFuture<Submitted> retry(Caller caller, ReportStatus report) {
        var id = new ReportIds(report.reportId(), null);
        var mine = new CompletableFuture<Submitted>();
        if (underway.putIfAbsent(id.reportId(), mine) != null) {
            return now(new Submitted.Underway(id.reportId()));
        }
        var command = new RetryReport(report.reportId(), report.attempt() + 1);
        return admit(
                caller,
                id,
                report.estimatedCredits(),
                () -> append(caller.accountId(), id, command, Topics.ACCOUNT_COMMANDS.encode(command)),
                mine);
    }

    private CompletableFuture<Submitted> admit(
            Caller caller,
            ReportIds id,
            long credits,
            Supplier<CompletableFuture<Submitted>> append,
            CompletableFuture<Submitted> mine) {
        CompletableFuture<Submitted> outcome;
        try {
            outcome = outcome(caller, id, credits, append);
        } catch (RuntimeException e) {
            model.withdraw(caller.accountId(), id.reportId(), id.idempotency());
            outcome = CompletableFuture.failedFuture(e);
        }
        return outcome.whenComplete((submitted, failure) -> {
            underway.remove(id.reportId());
            if (failure == null) {
                mine.complete(submitted);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<Submitted> outcome(
            Caller caller, ReportIds id, long credits, Supplier<CompletableFuture<Submitted>> append) {
        Admission admission =
                model.admit(caller.accountId(), id.reportId(), id.idempotency(), credits, openLimit(caller));
        return switch (admission) {
            case Admission.Admitted() -> {
                if (disk.enough()) {
                    yield append.get();
                }
                model.withdraw(caller.accountId(), id.reportId(), id.idempotency());
                yield now(new Submitted.DiskShort());
            }
            case Admission.Known(UUID known) -> now(new Submitted.Replayed(known));
            case Admission.KeyTaken() -> now(new Submitted.KeyTaken());
            case Admission.NotEnoughCredits(long estimate, long remaining) ->
                now(new Submitted.NotEnoughCredits(estimate, remaining));
            case Admission.TooManyOpen(int limit) -> now(new Submitted.TooManyOpen(limit));
        };
    }

    /** What a command names is there before the command is; false where it cannot be kept. */
    private boolean writeLists(String accountId, ReportIds id, Checked.Valid valid) {
        try {
            lists.write(accountId, id.reportId(), valid);
            return true;
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue(Logs.REPORT, id.reportId())
                    .log("the lists of report {} cannot be kept: {}", id.reportId(), e.toString());
            model.withdraw(accountId, id.reportId(), id.idempotency());
            return false;
        }
    }

    private CompletableFuture<Submitted> append(
            String accountId, ReportIds id, AccountCommand command, byte[] encoded) {
        return log.append(accountId, command, encoded).handle((at, failure) -> {
            if (failure == null) {
                if (command instanceof RequestReport request) {
                    Logs.report(request.reportId(), accountId, request.traceparent(), "accepted");
                }
                return new Submitted.Accepted(id.reportId());
            }
            LOG.atWarn()
                    .addKeyValue(Logs.REPORT, id.reportId())
                    .addKeyValue(Logs.ACCOUNT, accountId)
                    .log("report {} was not acknowledged: {}", id.reportId(), failure.toString());
            model.withdraw(accountId, id.reportId(), id.idempotency());
            return new Submitted.Unacknowledged(id.reportId());
        });
    }

    private static CompletableFuture<Submitted> now(Submitted submitted) {
        return CompletableFuture.completedFuture(submitted);
    }

    private static Submitted again(Submitted first) {
        return first instanceof Submitted.Accepted(UUID reportId) ? new Submitted.Replayed(reportId) : first;
    }

    private int openLimit(Caller caller) {
        Account.Limits limits = caller.account().limits();
        Integer own = limits == null ? null : limits.openReports();
        return own == null ? settings.openReports() : own;
    }
}
