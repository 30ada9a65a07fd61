package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletionStage;
import millrace.catalog.Catalog;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.reports.RequestChecks.RequestShape.Nested;
import millrace.gateway.api.reports.RequestChecks.RequestShape.OfDataset;
import millrace.gateway.api.reports.RequestChecks.RequestShape.OfMetrics;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Accepts requests for reports, and estimates what they would cost. */
@Controller
@BlockingRoutes
final class ReportRoutes {
    private final Catalog catalog;
    private final ReportIntake intake;

    ReportRoutes(Catalog catalog, ReportIntake intake) {
        this.catalog = catalog;
        this.intake = intake;
    }

    @Post("/v3/batch/{dataset}/request-report")
    @RequiredScopes(KeyScope.REQUEST)
    CompletionStage<? extends HttpResponse<byte[]>> requestReport(
            HttpRequest<?> http, @PathVariable String dataset, @Nullable @Body InputStream body) throws IOException {
        return intake.report(http, shape(http, dataset, body), body);
    }

    @Post("/v3/batch/{dataset}/request-validate")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> requestValidate(
            HttpRequest<?> http, @PathVariable String dataset, @Nullable @Body InputStream body) throws IOException {
        return intake.validation(http, shape(http, dataset, body), body);
    }

    /** The oldest form of the original API; the metrics say which dataset is meant. */
    @Post("/v3/batch/request-report")
    @RequiredScopes(KeyScope.REQUEST)
    CompletionStage<? extends HttpResponse<byte[]>> requestReportOfMetrics(
            HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        return intake.report(http, new OfMetrics(), body);
    }

    @Post("/v3/batch/request-validate")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> requestValidateOfMetrics(HttpRequest<?> http, @Nullable @Body InputStream body)
            throws IOException {
        return intake.validation(http, new OfMetrics(), body);
    }

    /** Versions 4 and 5 of the original API, which have the same bodies. */
    @Post(uris = {"/batch/v4/request-report", "/batch/v5/request-report"})
    @RequiredScopes(KeyScope.REQUEST)
    CompletionStage<? extends HttpResponse<byte[]>> requestNestedReport(
            HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        return intake.report(http, new Nested(), body);
    }

    @Post(uris = {"/batch/v4/request-validate", "/batch/v5/request-validate"})
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> requestNestedValidate(HttpRequest<?> http, @Nullable @Body InputStream body)
            throws IOException {
        return intake.validation(http, new Nested(), body);
    }

    private OfDataset shape(HttpRequest<?> http, String dataset, @Nullable InputStream body) {
        return catalog.dataset(dataset)
                .map(OfDataset::new)
                .orElseThrow(() ->
                        RequestBodyReader.refusal(http, body, JsonResponses.unknownDataset(dataset, catalog.names())));
    }
}
