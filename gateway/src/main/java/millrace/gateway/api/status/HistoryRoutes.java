package millrace.gateway.api.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.catalog.text.PlainText;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StatusResponse;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.copy.database.PageScan;
import millrace.gateway.copy.reports.HistoryCursor;
import millrace.gateway.copy.reports.HistoryFilter;
import millrace.gateway.copy.reports.IdPrefix;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Lists an account's reports, newest first, in pages. */
@Controller("/v3/batch")
@BlockingRoutes
final class HistoryRoutes {
    private static final int LIMIT = 20;
    private static final int MOST = 100;
    /** The words of both API dialects. */
    private static final Map<String, Status> WORDS = Map.of(
            "processing", Status.PROCESSING,
            "pending", Status.PROCESSING,
            "retry", Status.PROCESSING,
            "complete", Status.COMPLETE,
            "completed", Status.COMPLETE,
            "internal_error", Status.INTERNAL_ERROR);

    private final ReadModel model;
    private final ReportFinder reports;
    private final StatusResponses statuses;
    private final Catalog catalog;

    HistoryRoutes(ReadModel model, ReportFinder reports, StatusResponses statuses, Catalog catalog) {
        this.model = model;
        this.reports = reports;
        this.statuses = statuses;
        this.catalog = catalog;
    }

    /** @param nextCursor null on the last page */
    private record Page(
            List<StatusResponse> reports,
            @JsonInclude @Nullable String nextCursor) {}

    @Get("/report-history")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters(
            value = {"limit", "cursor", "status", "outcome", "dataset", "id_prefix", "name", "from", "to"},
            lists = "tag")
    HttpResponse<byte[]> reportHistory(HttpRequest<?> http) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        Optional<HistoryCursor> after = QueryParameters.cursor(http, HistoryCursor::parse, errors);
        String status = http.getParameters().get("status");
        if (status != null && !WORDS.containsKey(status)) {
            errors.add(
                    "status: must be processing, complete or internal_error; or pending, retry or completed, which mean the first two.");
        }
        String word = http.getParameters().get("outcome");
        Outcome outcome = word == null ? null : Outcome.ofWord(word).orElse(null);
        if (word != null && outcome == null) {
            errors.add("outcome: must be completed, cancelled or failed.");
        }
        String dataset = http.getParameters().get("dataset");
        if (dataset != null && catalog.dataset(dataset).isEmpty()) {
            errors.add("dataset: must be one of " + String.join(", ", catalog.names()) + ".");
        }
        Optional<IdPrefix> ids = QueryParameters.parsed(http, "id_prefix", IdPrefix::parse, IdPrefix.WANTED, errors);
        String name = http.getParameters().get("name");
        Map<String, String> tags = tags(http.getParameters().getAll("tag"), errors);
        Optional<Instant> from = QueryParameters.beginning(http, "from", errors);
        Optional<Instant> to = QueryParameters.end(http, "to", errors);
        RefusedException.ifAny(errors);
        var filter = new HistoryFilter(
                status == null ? null : WORDS.get(status),
                outcome,
                dataset,
                ids.orElse(null),
                name == null ? null : PlainText.normal(name).toLowerCase(Locale.ROOT),
                tags,
                from.map(Instant::toEpochMilli).orElse(Long.MIN_VALUE));
        HistoryCursor newest = Stream.concat(to.map(HistoryCursor::before).stream(), after.stream())
                .max(HistoryCursor.NEWEST_FIRST)
                .orElse(null);
        return JsonResponses.ok(page(ApiKeyFilter.caller(http), filter, newest, limit));
    }

    /** Each is a name and a value with a colon between them. */
    private static Map<String, String> tags(List<String> words, List<String> errors) {
        Map<String, String> tags = new LinkedHashMap<>();
        for (String word : words) {
            int colon = word.indexOf(':');
            if (colon < 1 || colon == word.length() - 1) {
                errors.add("tag: must be the name of a tag and its value, like team:seo.");
            } else if (tags.put(word.substring(0, colon), PlainText.normal(word.substring(colon + 1))) != null) {
                errors.add("tag: names " + QueryParameters.shown(word.substring(0, colon)) + " twice; send each once.");
            }
        }
        return tags;
    }

    private Page page(Caller caller, HistoryFilter filter, @Nullable HistoryCursor after, int limit)
            throws InterruptedException {
        PageScan<ReportView> page = model.history(caller.accountId(), after, filter, limit + 1);
        if (filter.status() == Status.PROCESSING || page.found().stream().anyMatch(ReportView::mayBeRetried)) {
            // A report whose retry another gateway has accepted is processing. Where Kafka is unavailable, the
            // history shows what this gateway knows.
            boolean unused = reports.readCommands(caller);
            page = model.history(caller.accountId(), after, filter, limit + 1);
        }
        ReportView last = page.last(limit);
        return new Page(
                page.shown(limit).stream()
                        .map(r -> statuses.inHistory(r.status()))
                        .toList(),
                last == null ? null : last.cursor().text());
    }
}
