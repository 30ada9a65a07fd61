package millrace.gateway.api.credits;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.time.InstantSource;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.ReportStatus;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.status.ReportFinder;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import millrace.gateway.statements.StatementLog;
import millrace.gateway.statements.StatementSigner;

/** Answers with signed statements of the months that have ended, with signed receipts, and with the keys that sign. */
@Controller
@BlockingRoutes
final class StatementRoutes {
    private static final Pattern MONTH = Pattern.compile("20[0-9]{2}-(0[1-9]|1[0-2])");
    private static final String CSV_FORMAT = "csv";
    private static final MediaType CSV = MediaType.of("text/csv; charset=utf-8");
    /** Of ten years. */
    private static final int MOST = 120;

    private static final List<String> SUMMARY =
            List.of("month", "first_sequence", "last_sequence", "entries", "opening", "closing", "previous");

    private final ActivityAnswers answers;
    private final ReportFinder reports;
    private final StatementSigner signer;
    private final InstantSource clock;

    StatementRoutes(ActivityAnswers answers, ReportFinder reports, StatementSigner signer, InstantSource clock) {
        this.answers = answers;
        this.reports = reports;
        this.signer = signer;
        this.clock = clock;
    }

    @Get("/v3/batch/credits/statements")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> statements(HttpRequest<?> http) {
        String account = ApiKeyFilter.caller(http).accountId();
        return answers.answer(store -> Map.of(
                "statements",
                store.statements(account, MOST).stream()
                        .map(signed -> summary(signed.path("statement")))
                        .toList()));
    }

    private static ObjectNode summary(JsonNode statement) {
        ObjectNode row = Json.MAPPER.createObjectNode();
        for (String field : SUMMARY) {
            if (statement.has(field)) {
                row.set(field, statement.get(field));
            }
        }
        return row.put("sha256", Hashes.sha256(CanonicalJson.bytes(statement)));
    }

    @Get("/v3/batch/credits/statements/{month}")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters("format")
    HttpResponse<byte[]> statement(HttpRequest<?> http, @PathVariable String month) {
        List<String> errors = new ArrayList<>();
        Optional<String> format =
                QueryParameters.parsed(http, "format", StatementRoutes::format, "must be json or csv.", errors);
        RefusedException.ifAny(errors);
        String account = ApiKeyFilter.caller(http).accountId();
        return answers.answer(
                store -> Optional.of(month)
                        .filter(text -> MONTH.matcher(text).matches())
                        .flatMap(text -> store.statement(account, YearMonth.parse(text)))
                        .orElseThrow(StatementRoutes::missing),
                signed -> format.equals(Optional.of(CSV_FORMAT)) ? csv(signed, month) : JsonResponses.ok(signed));
    }

    private static Optional<String> format(String text) {
        return text.equals("json") || text.equals(CSV_FORMAT) ? Optional.of(text) : Optional.empty();
    }

    private static RefusedException missing() {
        return new RefusedException(
                ProblemCode.STATEMENT_NOT_FOUND,
                "There is no statement of this month: it has not ended, or has no entries; months are written like"
                        + " 2026-10.");
    }

    private static MutableHttpResponse<byte[]> csv(JsonNode signed, String month) {
        return HttpResponse.ok(StatementCsv.of(signed))
                .contentType(CSV)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"statement-" + month + ".csv\"");
    }

    @Get("/v3/batch/credits/receipts/{reportId}")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> receipt(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        ReportStatus status = reports.find(ApiKeyFilter.caller(http), reportId).status();
        return answers.answerOnce(
                store -> hasEntries(store, status), store -> signer.signed("receipt", receipt(store, status)));
    }

    /** Whether the store has the entries, or they are older than what is kept of them. */
    private static boolean hasEntries(ActivityQueries store, ReportStatus status) {
        return store.kept().forgets(status.updatedAt())
                || TimelineRoutes.areAll(TimelineRoutes.entries(store, status), status);
    }

    private static ObjectNode receipt(ActivityQueries store, ReportStatus status) {
        List<ActivityQueries.Entry> booked = TimelineRoutes.entries(store, status);
        if (!store.kept().forgets(status.updatedAt()) && !TimelineRoutes.areAll(booked, status)) {
            throw new RefusedException(JsonResponses.unavailable(
                    ProblemCode.GATEWAY_STARTING, "This gateway has not read the report's entries yet; try again."));
        }
        ObjectNode receipt = Json.MAPPER.createObjectNode();
        receipt.put("type", "millrace.receipt.v1")
                .put("account_id", status.accountId())
                .put("report_id", status.reportId().toString())
                .put("dataset", status.dataset())
                .put("status", status.status().word())
                .put("sequence", status.sequence())
                .put("submitted_at", Json.format(status.submittedAt()))
                .put("updated_at", Json.format(status.updatedAt()));
        if (status.querySha256() != null) {
            receipt.put("query_sha256", status.querySha256());
        }
        if (status.result() != null) {
            receipt.set("counts", Json.MAPPER.valueToTree(status.result().counts()));
        }
        if (status.tags() != null) {
            receipt.set("tags", Json.MAPPER.valueToTree(status.tags()));
        }
        receipt.set("receipt", Json.MAPPER.valueToTree(status.receipt()));
        ArrayNode entries = receipt.putArray("entries");
        booked.forEach(found -> entries.add(Json.MAPPER.<JsonNode>valueToTree(found.entry())));
        return receipt;
    }

    /** Needs no key: whoever was given a statement may check it. */
    @Get("/.well-known/jwks.json")
    HttpResponse<byte[]> keys() {
        return answers.answer(
                store -> StatementLog.keys(store, clock.instant()), keys -> JsonResponses.ok(Map.of("keys", keys))
                        .header(HttpHeaders.CACHE_CONTROL, "public, max-age=300"));
    }
}
