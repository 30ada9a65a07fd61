package millrace.gateway.api.agents;

import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.Json;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.AccessCheck;
import millrace.gateway.access.RequestRate;
import millrace.gateway.api.datasets.EntityRoutes;
import millrace.gateway.api.downloads.PreviewRoutes;
import millrace.gateway.api.reports.AccountRoutes;
import millrace.gateway.api.reports.ReportActionRoutes;
import millrace.gateway.api.reports.ReportIntake;
import millrace.gateway.api.status.StatusRoutes;
import millrace.gateway.server.JsonResponses;

/** The tools of agents, by their names. Each answers with what a route would answer. */
@Singleton
final class AgentTools {
    /** Seconds. Most small reports need less than one, and clients of the protocol give up after 20 to 60. */
    private static final int USUAL_WAIT = 15;

    private static final int PREVIEWED = 20;
    /** Rows: what a model can read. */
    private static final int MOST_PREVIEWED = 100;

    private final AccessCheck access;
    private final AccountRoutes account;
    private final EntityRoutes entities;
    private final ReportIntake intake;
    private final StatusRoutes statuses;
    private final PreviewRoutes previews;
    private final ReportActionRoutes actions;
    private final Map<String, Tool> tools = Map.of(
            "list_datasets", this::listDatasets,
            "find_entities", this::findEntities,
            "quote_report", this::quoteReport,
            "request_report", this::requestReport,
            "report_status", this::reportStatus,
            "preview_report", this::previewReport,
            "credits", this::credits,
            "cancel_report", this::cancelReport);

    AgentTools(
            AccessCheck access,
            AccountRoutes account,
            EntityRoutes entities,
            ReportIntake intake,
            StatusRoutes statuses,
            PreviewRoutes previews,
            ReportActionRoutes actions) {
        this.access = access;
        this.account = account;
        this.entities = entities;
        this.intake = intake;
        this.statuses = statuses;
        this.previews = previews;
        this.actions = actions;
    }

    /** Answers a call. Blocks. Throws as routes do. */
    @FunctionalInterface
    interface Tool {
        HttpResponse<?> answer(ToolCall call) throws IOException, InterruptedException;
    }

    Tool named(String name) {
        return Objects.requireNonNull(tools.get(name), name);
    }

    private HttpResponse<?> listDatasets(ToolCall call) {
        call.check();
        return JsonResponses.ok(Map.of("datasets", account.datasets(call.caller())));
    }

    private HttpResponse<?> findEntities(ToolCall call) {
        String dataset = call.words("dataset");
        String prefix = call.text("prefix");
        int limit = call.whole("limit", 1, EntityRoutes.MOST, EntityRoutes.LIMIT);
        call.check();
        return entities.entities(dataset, prefix, limit);
    }

    private HttpResponse<?> quoteReport(ToolCall call) throws IOException {
        byte[] request = call.takeRequest();
        String dataset = call.words("dataset");
        call.check();
        return intake.quote(call.caller(), dataset, request);
    }

    private HttpResponse<?> requestReport(ToolCall call) throws IOException {
        requireRequests(call);
        byte[] request = call.takeRequest();
        String dataset = call.words("dataset");
        int wait = call.whole("wait", 0, StatusRoutes.LONGEST_WAIT, USUAL_WAIT);
        call.check();
        HttpResponse<byte[]> ticket = intake.quotedReport(call.http(), dataset, request);
        return ticket.code() >= 400 ? ticket : statuses.awaitEnd(call.caller(), reportId(ticket), seconds(wait));
    }

    private static String reportId(HttpResponse<byte[]> ticket) throws IOException {
        return Json.MAPPER
                .readTree(ticket.getBody().orElseThrow())
                .path("report_id")
                .asText();
    }

    private HttpResponse<?> reportStatus(ToolCall call) {
        String report = call.words("report_id");
        int wait = call.whole("wait", 0, StatusRoutes.LONGEST_WAIT, 0);
        call.check();
        return statuses.awaitEnd(call.caller(), report, seconds(wait));
    }

    private HttpResponse<?> previewReport(ToolCall call) throws InterruptedException {
        String report = call.words("report_id");
        int rows = call.whole("rows", 1, MOST_PREVIEWED, PREVIEWED);
        call.check();
        return previews.preview(call.caller(), report, rows, false);
    }

    private HttpResponse<?> credits(ToolCall call) {
        call.check();
        return account.credits(call.caller());
    }

    private HttpResponse<?> cancelReport(ToolCall call) throws InterruptedException {
        requireRequests(call);
        String report = call.words("report_id");
        call.check();
        return actions.cancel(call.caller(), report);
    }

    /** The route of all tools takes keys that only read. */
    private void requireRequests(ToolCall call) {
        access.require(call.http(), call.caller(), KeyScope.REQUEST, RequestRate.SUBMISSIONS);
    }

    private static Duration seconds(int wait) {
        return Duration.ofSeconds(wait);
    }
}
