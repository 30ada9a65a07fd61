package millrace.gateway.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.gateway.api.webhooks.DeliveryResponses;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliverySelection;
import millrace.gateway.copy.reports.HistoryCursor;
import millrace.gateway.copy.reports.HistoryFilter;
import millrace.gateway.copy.reports.IdPrefix;
import millrace.gateway.copy.reports.NewestReports;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReadModel.OpenReport;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Lists the reports of all accounts, and tells how one of them is. */
@Controller("/admin/v1/reports")
@Requires(beans = AdminKeys.class) // the public API has none
@BlockingRoutes
final class ReportListRoutes {
    private static final String OPEN = "open";
    private static final String ANY = "any";
    private static final Instant FOREVER = Instant.ofEpochMilli(Long.MAX_VALUE);
    private static final int LIMIT = 50;
    private static final int MOST = 200;
    private static final int SLICES = 100;
    private static final int MOST_SLICES = 1000;
    /** A report has a few for each of its attempts. */
    private static final int MOST_DELIVERIES = 100;

    private static final Comparator<OpenReport> OLDEST_FIRST =
            Comparator.comparing(OpenReport::cursor, HistoryCursor.OLDEST_FIRST);

    private final ReadModel model;
    private final ReportSlices slices;
    private final DeliveryIndex deliveries;

    ReportListRoutes(AdminDependencies parts) {
        this.model = parts.model();
        this.slices = new ReportSlices(parts.kafka());
        this.deliveries = parts.deliveries();
    }

    /**
     * @param reportName the client's name for the report, or null
     * @param dataVersion that the attempt reads; null before it begins
     * @param decided false while no processor has decided the request or the retry
     * @param phase null of a report that has ended, as is the progress
     */
    private record Report(
            String reportId,
            String accountId,
            String dataset,
            @Nullable String reportName,
            @Nullable String dataVersion,
            Status status,
            @Nullable Outcome outcome,
            boolean decided,
            int attempt,
            @Nullable ReportPhase phase,
            @Nullable Double progress,
            Instant submittedAt,
            Instant updatedAt,
            long estimatedCredits,
            ReportStatus.@Nullable Failure error) {
        static Report of(ReportView view) {
            ReportStatus s = view.status();
            ReportStatus.Progress progress = s.progress();
            return new Report(
                    s.reportId().toString(),
                    s.accountId(),
                    s.dataset(),
                    s.reportName(),
                    s.dataVersion(),
                    s.status(),
                    s.outcome(),
                    view.decided(),
                    s.attempt(),
                    progress == null ? null : progress.phase(),
                    progress == null ? null : progress.fraction(),
                    s.submittedAt(),
                    s.updatedAt(),
                    s.estimatedCredits(),
                    s.error());
        }
    }

    /**
     * What is asked for.
     *
     * @param open whether reports are wanted that have not ended, the oldest first
     * @param outcome null for any
     * @param ids how their ids begin; null for all
     * @param since when they were submitted at the earliest
     * @param before when they were submitted at the latest, exclusive
     */
    private record Wanted(
            boolean open,
            @Nullable Outcome outcome,
            @Nullable String account,
            @Nullable String dataset,
            @Nullable IdPrefix ids,
            Instant since,
            Instant before,
            @Nullable HistoryCursor after,
            int limit) {
        static Wanted of(HttpRequest<?> http, List<String> errors) {
            String state = http.getParameters().get("state", String.class, OPEN);
            Optional<Outcome> outcome = Outcome.ofWord(state);
            if (outcome.isEmpty() && !List.of(OPEN, ANY).contains(state)) {
                errors.add("state: must be open, completed, cancelled, failed or any.");
            }
            return new Wanted(
                    state.equals(OPEN),
                    outcome.orElse(null),
                    http.getParameters().get("account"),
                    http.getParameters().get("dataset"),
                    QueryParameters.parsed(http, "id_prefix", IdPrefix::parse, IdPrefix.WANTED, errors)
                            .orElse(null),
                    QueryParameters.beginning(http, "from", errors).orElse(Instant.EPOCH),
                    QueryParameters.end(http, "to", errors).orElse(FOREVER),
                    QueryParameters.cursor(http, HistoryCursor::parse, errors).orElse(null),
                    QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors));
        }

        boolean matches(OpenReport report) {
            long at = report.cursor().submittedAt();
            return (dataset == null || dataset.equals(report.dataset()))
                    && (ids == null || ids.begins(report.cursor().reportId()))
                    && at >= since.toEpochMilli()
                    && at < before.toEpochMilli()
                    && (after == null || HistoryCursor.OLDEST_FIRST.compare(report.cursor(), after) > 0);
        }

        /** After it come the newest of those that are wanted. */
        HistoryCursor beginning() {
            HistoryCursor end = HistoryCursor.before(before);
            return after == null || HistoryCursor.NEWEST_FIRST.compare(after, end) < 0 ? end : after;
        }
    }

    /**
     * @param open of all accounts, whatever was asked for
     * @param whole false where there are too many reports to look at all of them
     */
    private record Page(
            long open,
            boolean whole,
            List<Report> reports,
            @JsonInclude @Nullable String nextCursor) {}

    private record Slices(Report report, ReportSlices.Heard slices) {}

    /** @param deliveries the newest event first, as the account sees them */
    private record Deliveries(List<DeliveryResponses.Item> deliveries) {}

    @Get(headRoute = false)
    @TakesParameters({"state", "account", "dataset", "id_prefix", "from", "to", "limit", "cursor"})
    HttpResponse<byte[]> reports(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        Wanted wanted = Wanted.of(http, errors);
        RefusedException.ifAny(errors);
        return JsonResponses.ok(wanted.open() ? open(wanted) : newest(wanted));
    }

    private Page open(Wanted wanted) {
        int limit = wanted.limit();
        // Holds a page, however many are open: the youngest of them goes when an older one is found.
        var oldest = new PriorityQueue<>(limit + 2, OLDEST_FIRST.reversed());
        model.openReports(wanted.account(), report -> {
            if (wanted.matches(report)) {
                oldest.add(report);
            }
            if (oldest.size() > limit + 1) {
                oldest.remove();
            }
        });
        List<OpenReport> found = oldest.stream().sorted(OLDEST_FIRST).toList();
        List<OpenReport> shown = found.subList(0, Math.min(limit, found.size()));
        return new Page(
                model.open(),
                true,
                shown.stream()
                        .flatMap(report -> model.report(report.cursor().reportId()).stream())
                        .filter(report -> report.word() == Status.PROCESSING) // and has not ended since
                        .map(Report::of)
                        .toList(),
                found.size() > limit ? shown.getLast().cursor().text() : null);
    }

    private Page newest(Wanted wanted) {
        NewestReports newest = model.newest(
                wanted.account(),
                wanted.beginning(),
                new HistoryFilter(
                        null,
                        wanted.outcome(),
                        wanted.dataset(),
                        wanted.ids(),
                        null,
                        Map.of(),
                        wanted.since().toEpochMilli()),
                wanted.limit() + 1);
        List<ReportView> found = newest.found();
        List<ReportView> shown = found.subList(0, Math.min(wanted.limit(), found.size()));
        return new Page(
                model.open(),
                newest.whole(),
                shown.stream().map(Report::of).toList(),
                found.size() > shown.size() ? shown.getLast().cursor().text() : null);
    }

    @Get(uri = "/{reportId}", headRoute = false)
    HttpResponse<byte[]> report(@PathVariable String reportId) {
        return QueryParameters.reportId(reportId)
                .flatMap(model::report)
                .<HttpResponse<byte[]>>map(view -> JsonResponses.ok(Report.of(view)))
                .orElseGet(() -> missing(reportId));
    }

    @Get(uri = "/{reportId}/slices", headRoute = false)
    @TakesParameters("limit")
    HttpResponse<byte[]> reportSlices(HttpRequest<?> http, @PathVariable String reportId) {
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST_SLICES, SLICES, errors);
        RefusedException.ifAny(errors);
        Optional<ReportView> report = QueryParameters.reportId(reportId).flatMap(model::report);
        if (report.isEmpty()) {
            return missing(reportId);
        }
        try {
            ReportStatus status = report.get().status();
            return JsonResponses.ok(new Slices(Report.of(report.get()), slices.of(status, limit)));
        } catch (KafkaException e) {
            return JsonResponses.unavailable(ProblemCode.KAFKA_UNAVAILABLE, "Kafka did not answer in time; try again.");
        }
    }

    @Get(uri = "/{reportId}/deliveries", headRoute = false)
    HttpResponse<byte[]> reportDeliveries(@PathVariable String reportId) {
        return QueryParameters.reportId(reportId)
                .flatMap(model::report)
                .<HttpResponse<byte[]>>map(view -> JsonResponses.ok(deliveries(view.status())))
                .orElseGet(() -> missing(reportId));
    }

    private Deliveries deliveries(ReportStatus report) {
        var ofReport = new DeliverySelection(report.reportId(), null, Set.of(), 0, Long.MAX_VALUE);
        return new Deliveries(deliveries.newest(report.accountId(), ofReport, null, MOST_DELIVERIES).found().stream()
                .map(DeliveryResponses::item)
                .toList());
    }

    private static HttpResponse<byte[]> missing(String reportId) {
        return JsonResponses.problem(
                ProblemCode.REPORT_NOT_FOUND, "There is no report " + QueryParameters.shown(reportId) + ".");
    }
}
