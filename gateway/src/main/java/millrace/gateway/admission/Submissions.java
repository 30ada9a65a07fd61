package millrace.gateway.admission;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.commands.AccountCommand.RetryReport;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.SubmissionOutcome.Accepted;
import millrace.gateway.admission.SubmissionOutcome.Refused;
import millrace.gateway.admission.SubmissionOutcome.Replayed;
import millrace.gateway.copy.reports.Reservation;
import millrace.gateway.copy.reports.SubmissionId;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.telemetry.ServiceLogs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Submits and retries reports: decides admission from the read model, then appends the command. */
@Singleton
public final class Submissions {
    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    /** By {@link SubmissionId#request}, or by the report that is retried. */
    private final Map<UUID, CompletableFuture<SubmissionOutcome>> inProgress = new ConcurrentHashMap<>();

    private final Reservations reservations;
    private final CommandLog log;
    private final GatewaySettings settings;
    private final InstantSource clock;
    private final ReportStore store;
    private final ReportIdSource ids;
    private final DiskSpaceMonitor disk;

    Submissions(
            Reservations reservations,
            CommandLog log,
            ReportStore store,
            GatewaySettings settings,
            InstantSource clock,
            ReportIdSource ids,
            DiskSpaceMonitor disk) {
        this.reservations = reservations;
        this.log = log;
        this.store = store;
        this.settings = settings;
        this.clock = clock;
        this.ids = ids;
        this.disk = disk;
    }

    /** Makes the ids of reports without an Idempotency-Key. */
    @FunctionalInterface
    public interface ReportIdSource {
        UUID next();
    }

    /**
     * Submits a valid request. The same request with the same Idempotency-Key is submitted once,
     * also where it arrives twice at the same time. Blocks while it writes lists to the store.
     *
     * @param price what the request may cost at most, or null where that is its quote; may be another one later
     * @param refused why the request is refused unless it repeats an earlier one, or null
     * @param warnings for the report's status; the same request may have other ones later
     * @param idempotencyKey the header's value, or null
     * @param traceparent W3C trace context that the report carries
     */
    public CompletableFuture<SubmissionOutcome> submit(
            Caller caller,
            CheckedRequest.Valid valid,
            @Nullable VersionPrice price,
            @Nullable Refused refused,
            List<String> warnings,
            @Nullable String idempotencyKey,
            String traceparent) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        SubmissionId id =
                SubmissionId.of(caller.accountId(), idempotencyKey, valid.request(), valid.openEnd(), now, ids::next);
        var command = new RequestReport(
                id.reportId(),
                valid.request(),
                valid.quote(),
                id.idempotency(),
                now,
                traceparent,
                warnings.isEmpty() ? null : warnings,
                historyDays(caller),
                price,
                QueryHash.of(valid.request().query()));
        byte[] encoded = Topics.ACCOUNT_COMMANDS.encode(command);
        if (encoded.length > GatewaySettings.MAX_COMMAND_BYTES) {
            return now(new Refused(
                    ProblemCode.REQUEST_TOO_LARGE,
                    "The request is " + encoded.length + " bytes beside its longest lists; at most "
                            + GatewaySettings.MAX_COMMAND_BYTES
                            + " are accepted in one report. Name fewer values in its filters."));
        }
        var mine = new CompletableFuture<SubmissionOutcome>();
        CompletableFuture<SubmissionOutcome> first = inProgress.putIfAbsent(id.request(), mine);
        if (first != null) {
            return first.thenApply(Submissions::replayed);
        }
        var accepted = new Accepted(
                id.reportId(), StatusResponse.queuedWord(valid.request().dialect(), 1));
        return admit(
                caller,
                new Reservation(
                        id.reportId(),
                        1,
                        command.expectedQuote().credits(),
                        id.idempotency(),
                        valid.request().maxCredits()),
                refused,
                () -> writeLists(id.reportId(), caller, valid)
                        ? append(caller, accepted, command, encoded)
                        : now(new Refused(
                                ProblemCode.STORAGE_UNAVAILABLE,
                                "The lists of the request cannot be kept at the moment; nothing was accepted.")),
                id.request(),
                mine);
    }

    /**
     * Starts the next attempt of a failed report. The caller has checked that it may be retried.
     */
    public CompletableFuture<SubmissionOutcome> retry(Caller caller, ReportStatus report) {
        UUID id = report.reportId();
        var mine = new CompletableFuture<SubmissionOutcome>();
        if (inProgress.putIfAbsent(id, mine) != null) {
            return now(new Refused(ProblemCode.RETRY_IN_PROGRESS, "report " + id + ": a retry is under way."));
        }
        int attempt = report.attempt() + 1;
        var command = new RetryReport(id, attempt);
        var accepted = new Accepted(id, StatusResponse.queuedWord(report.dialect(), attempt));
        return admit(
                caller,
                new Reservation(id, attempt, report.estimatedCredits(), null),
                null,
                () -> append(caller, accepted, command, Topics.ACCOUNT_COMMANDS.encode(command)),
                id,
                mine);
    }

    /**
     * Holds the reservation until the outcome is known; an accepted command is in the read model by
     * then.
     *
     * @param key of {@code mine} among those in progress
     */
    private CompletableFuture<SubmissionOutcome> admit(
            Caller caller,
            Reservation wanted,
            @Nullable Refused refused,
            Supplier<CompletableFuture<SubmissionOutcome>> append,
            UUID key,
            CompletableFuture<SubmissionOutcome> mine) {
        CompletableFuture<SubmissionOutcome> outcome;
        try {
            outcome = outcome(caller, wanted, refused, append);
        } catch (RuntimeException e) {
            outcome = CompletableFuture.failedFuture(e);
        }
        return outcome.whenComplete((submitted, failure) -> {
            reservations.release(caller.accountId(), wanted.reportId());
            inProgress.remove(key);
            if (failure == null) {
                mine.complete(submitted);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<SubmissionOutcome> outcome(
            Caller caller,
            Reservation wanted,
            @Nullable Refused refused,
            Supplier<CompletableFuture<SubmissionOutcome>> append) {
        SubmissionOutcome other = reservations.admit(caller.accountId(), wanted, openLimit(caller), refused);
        if (other != null) {
            return now(other);
        }
        return disk.hasRoomForReports()
                ? append.get()
                : now(new Refused(
                        ProblemCode.DISK_FULL,
                        "There is too little room on a disk of this gateway to accept reports; nothing was accepted."));
    }

    /**
     * Writes the entities and filter values that are too many for a command, before the command that names them. They
     * are durable when this returns. If the command is never acknowledged, nothing refers to them and the sweeper
     * deletes them. Returns false if the store cannot write them.
     */
    private boolean writeLists(UUID reportId, Caller caller, CheckedRequest.Valid valid) {
        String account = caller.accountId();
        ReportQuery query = valid.request().query();
        try {
            EntityList entities = query.entityList();
            if (entities != null) {
                writeList(EntityList.fileName(account, reportId), valid.entities(), entities.sha256());
            }
            for (var filter : valid.filters().entrySet()) {
                FilterList list = Objects.requireNonNull(query.filterList(filter.getKey()));
                writeList(FilterList.fileName(account, reportId, filter.getKey()), filter.getValue(), list.sha256());
            }
            return true;
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue(ServiceLogs.REPORT, reportId)
                    .log("writing the lists of a request failed reportId={} error={}", reportId, e.toString());
            return false;
        }
    }

    private void writeList(String name, @Nullable SortedTextSet texts, String sha256) throws IOException {
        try (ReportFileWriter file = store.create(name)) {
            Objects.requireNonNull(texts).writeTo(file);
            StoredFile written = file.commit();
            if (!written.sha256().equals(sha256)) {
                throw new IllegalStateException("list " + written + " is not " + sha256);
            }
        }
    }

    private CompletableFuture<SubmissionOutcome> append(
            Caller caller, Accepted accepted, AccountCommand command, byte[] encoded) {
        UUID reportId = accepted.reportId();
        // Kafka's thread knows no request.
        @Nullable String requestId = MDC.get(ServiceLogs.REQUEST);
        return log.append(caller.accountId(), command, encoded).handle((at, failure) -> {
            try (var _ = MDC.putCloseable(ServiceLogs.REQUEST, requestId)) {
                if (failure == null) {
                    if (command instanceof RequestReport request) {
                        ServiceLogs.report(reportId, caller.accountId(), request.traceparent(), "accepted");
                    }
                    return accepted;
                }
                LOG.atWarn()
                        .addKeyValue(ServiceLogs.REPORT, reportId)
                        .addKeyValue(ServiceLogs.ACCOUNT, caller.accountId())
                        .log("command not acknowledged reportId={} error={}", reportId, failure.toString());
                return Refused.unacknowledged(reportId);
            }
        });
    }

    private static CompletableFuture<SubmissionOutcome> now(SubmissionOutcome submitted) {
        return CompletableFuture.completedFuture(submitted);
    }

    private static SubmissionOutcome replayed(SubmissionOutcome first) {
        return first instanceof Accepted accepted ? new Replayed(accepted.reportId()) : first;
    }

    private static @Nullable Integer historyDays(Caller caller) {
        AccountRecord.Limits limits = caller.account().limits();
        return limits == null ? null : limits.historyDays();
    }

    /** Reports of the caller's account that may be processing at a time. */
    public int openLimit(Caller caller) {
        AccountRecord.Limits limits = caller.account().limits();
        Integer own = limits == null ? null : limits.openReports();
        return own == null ? settings.openReports() : own;
    }
}
