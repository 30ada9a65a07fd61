package millrace.gateway.api.credits;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.status.ReportFinder;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.server.BlockingRoutes;
import org.jspecify.annotations.Nullable;

/** Tells what happened to one report, and what it did to the credits. */
@Controller("/v3/batch")
@BlockingRoutes
final class TimelineRoutes {
    private final ReportFinder reports;
    private final ActivityAnswers answers;

    TimelineRoutes(ReportFinder reports, ActivityAnswers answers) {
        this.reports = reports;
        this.answers = answers;
    }

    /**
     * A change of the report's status.
     *
     * @param phase only while the report is processing, as is the progress
     * @param elapsedMillis since the request
     * @param sincePreviousMillis null in the first change
     * @param dataVersion that the attempt reads, and in which form it renders; null before it begins
     */
    private record Change(
            int sequence,
            String status,
            @Nullable Outcome outcome,
            @Nullable ReportPhase phase,
            int attempt,
            @Nullable Double progress,
            Instant occurredAt,
            long elapsedMillis,
            @Nullable Long sincePreviousMillis,
            @Nullable String dataVersion,
            @Nullable Integer renderForm,
            ReportStatus.@Nullable Failure error) {
        static Change of(ReportStatus status, @Nullable ReportStatus previous) {
            ReportStatus.Progress progress = status.progress();
            return new Change(
                    status.sequence(),
                    status.status().word(),
                    status.outcome(),
                    progress == null ? null : progress.phase(),
                    status.attempt(),
                    progress == null ? null : progress.fraction(),
                    status.updatedAt(),
                    millis(status.submittedAt(), status.updatedAt()),
                    previous == null ? null : millis(previous.updatedAt(), status.updatedAt()),
                    status.dataVersion(),
                    status.renderForm(),
                    status.error() == null ? null : status.error().withoutCause());
        }

        private static long millis(Instant from, Instant to) {
            return Duration.between(from, to).toMillis();
        }
    }

    private record Timeline(UUID reportId, List<Change> events, List<EntryResponse> entries) {}

    @Get("/report-timeline/{reportId}")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> reportTimeline(HttpRequest<?> http, @PathVariable String reportId)
            throws InterruptedException {
        ReportStatus status = reports.find(ApiKeyFilter.caller(http), reportId).status();
        return answers.answerOnce(store -> has(store, status), store -> timeline(store, status));
    }

    /** Whether the store has what led to this status, as far as it is kept. */
    private static boolean has(ActivityQueries store, ReportStatus status) {
        if (store.kept().forgets(status.updatedAt())) {
            return true;
        }
        List<ReportStatus> changes = store.timeline(status.accountId(), status.reportId());
        int sequence = changes.isEmpty() ? 0 : changes.getLast().sequence();
        return sequence >= status.sequence() && areAll(entries(store, status), status);
    }

    /** Whether these are all entries of the receipt. */
    static boolean areAll(List<ActivityQueries.Entry> entries, ReportStatus status) {
        return entries.stream()
                .map(e -> e.entry().entryId())
                .collect(Collectors.toSet())
                .containsAll(status.receipt().entryIds());
    }

    private static Timeline timeline(ActivityQueries store, ReportStatus status) {
        List<Change> changes = new ArrayList<>();
        ReportStatus previous = null;
        for (ReportStatus change : store.timeline(status.accountId(), status.reportId())) {
            changes.add(Change.of(change, previous));
            previous = change;
        }
        return new Timeline(
                status.reportId(),
                changes,
                entries(store, status).stream().map(EntryResponse::of).toList());
    }

    static List<ActivityQueries.Entry> entries(ActivityQueries store, ReportStatus status) {
        return store.entriesOf(status.accountId(), status.reportId(), status.submittedAt(), status.updatedAt());
    }
}
