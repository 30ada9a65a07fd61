package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletionStage;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.reports.RequestChecks.RequestShape.Nested;
import millrace.gateway.server.BlockingRoutes;
import org.jspecify.annotations.Nullable;

/** Accepts and validates the requests of v4 and v5 of the original API, which have the same bodies. */
@Controller("/batch")
@BlockingRoutes
final class NestedReportRoutes {
    private final ReportIntake intake;

    NestedReportRoutes(ReportIntake intake) {
        this.intake = intake;
    }

    @Post(uris = {"/v4/request-report", "/v5/request-report"})
    @RequiredScopes(KeyScope.REQUEST)
    CompletionStage<? extends HttpResponse<byte[]>> requestReport(
            HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        return intake.report(http, new Nested(), body);
    }

    @Post(uris = {"/v4/request-validate", "/v5/request-validate"})
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> requestValidate(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        return intake.validation(http, new Nested(), body);
    }
}
