package millrace.gateway.submission;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.CheckedRequest;
import millrace.gateway.admission.Caller;
import millrace.gateway.commands.Submissions;
import millrace.gateway.datasets.DataWarnings;
import millrace.gateway.http.ApiKeyFilter;
import millrace.gateway.http.GatewayMetrics;
import millrace.gateway.http.JsonResponses;
import millrace.gateway.http.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Accepts requests for reports, and estimates what they would cost. */
@Controller("/v3/batch")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class ReportRoutes {
    private static final int LONGEST_KEY = 255;

    private final Catalog catalog;
    private final RequestBodyReader bodies;
    private final RequestChecks checks;
    private final DataWarnings warnings;
    private final Submissions submissions;
    private final SubmissionResponses answers;
    private final GatewayMetrics metrics;

    ReportRoutes(
            Catalog catalog,
            RequestBodyReader bodies,
            RequestChecks checks,
            DataWarnings warnings,
            Submissions submissions,
            SubmissionResponses answers,
            GatewayMetrics metrics) {
        this.catalog = catalog;
        this.bodies = bodies;
        this.checks = checks;
        this.warnings = warnings;
        this.submissions = submissions;
        this.answers = answers;
        this.metrics = metrics;
    }

    @Post("/{dataset}/request-report")
    CompletionStage<? extends HttpResponse<byte[]>> requestReport(
            HttpRequest<?> http, @PathVariable String dataset, @Nullable @Body InputStream body) throws IOException {
        Optional<Dataset> declared = catalog.dataset(dataset);
        if (declared.isEmpty()) {
            return now(RequestBodyReader.discardingRest(http, body, unknown(dataset)));
        }
        @Nullable String key = http.getHeaders().get("Idempotency-Key");
        if (key != null && (key.isEmpty() || key.length() > LONGEST_KEY)) {
            var answer = JsonResponses.problem(
                    HttpStatus.BAD_REQUEST, "Idempotency-Key: must be 1 to " + LONGEST_KEY + " characters.");
            return now(RequestBodyReader.discardingRest(http, body, answer));
        }
        return bodies.stream(http, body, json -> submit(http, declared.get(), json, key), ReportRoutes::now);
    }

    @Post("/{dataset}/request-validate")
    HttpResponse<byte[]> requestValidate(
            HttpRequest<?> http, @PathVariable String dataset, @Nullable @Body InputStream body) throws IOException {
        Optional<Dataset> declared = catalog.dataset(dataset);
        if (declared.isEmpty()) {
            return RequestBodyReader.discardingRest(http, body, unknown(dataset));
        }
        return bodies.stream(
                http,
                body,
                json -> JsonResponses.ok(checks.validation(ApiKeyFilter.caller(http), declared.get(), json)),
                r -> r);
    }

    private CompletionStage<? extends HttpResponse<byte[]>> submit(
            HttpRequest<?> http, Dataset dataset, InputStream json, @Nullable String key) {
        Caller caller = ApiKeyFilter.caller(http);
        return switch (checks.check(caller, dataset, json)) {
            case CheckedRequest.Invalid invalid -> {
                metrics.invalid();
                yield now(JsonResponses.problem(HttpStatus.BAD_REQUEST, invalid.errors()));
            }
            case CheckedRequest.Valid valid -> {
                RequestSpan span = RequestSpan.begin(http, UUID.randomUUID());
                yield submissions
                        .submit(caller, valid, warnings.ofReport(dataset, valid), key, span.traceparent())
                        .whenComplete((s, failure) -> span.end(caller, dataset, s))
                        .thenApply(s -> {
                            metrics.submitted(dataset.name(), s);
                            return answers.of(caller, s);
                        });
            }
        };
    }

    private MutableHttpResponse<byte[]> unknown(String dataset) {
        return JsonResponses.unknownDataset(dataset, catalog.names());
    }

    private static CompletionStage<HttpResponse<byte[]>> now(HttpResponse<byte[]> answer) {
        return CompletableFuture.completedFuture(answer);
    }
}
