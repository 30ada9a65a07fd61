package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.report.ReportEstimate;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.accounts.Quote;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.requests.ReportQuery;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.QuoteTokens;
import millrace.gateway.admission.SubmissionOutcome;
import millrace.gateway.admission.SubmissionOutcome.Refused;
import millrace.gateway.admission.Submissions;
import millrace.gateway.api.datasets.DataCheck;
import millrace.gateway.api.datasets.DataFindings;
import millrace.gateway.api.reports.RequestChecks.RequestShape;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.GatewayMetrics;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Accepts and validates requests for reports, whatever their path and the shape of their body. Blocks. */
@Singleton
final class ReportIntake {
    private static final int LONGEST_KEY = 255;

    private final Catalog catalog;
    private final RequestBodyReader bodies;
    private final RequestChecks checks;
    private final DataCheck data;
    private final ReadModel model;
    private final Submissions submissions;
    private final SubmissionResponses answers;
    private final QuoteTokens quotes;
    private final GatewayMetrics metrics;

    ReportIntake(
            Catalog catalog,
            RequestBodyReader bodies,
            RequestChecks checks,
            DataCheck data,
            ReadModel model,
            Submissions submissions,
            SubmissionResponses answers,
            QuoteTokens quotes,
            GatewayMetrics metrics) {
        this.catalog = catalog;
        this.bodies = bodies;
        this.checks = checks;
        this.data = data;
        this.model = model;
        this.submissions = submissions;
        this.answers = answers;
        this.quotes = quotes;
        this.metrics = metrics;
    }

    CompletionStage<? extends HttpResponse<byte[]>> report(
            HttpRequest<?> http, RequestShape shape, @Nullable InputStream body) throws IOException {
        @Nullable String key = http.getHeaders().get("Idempotency-Key");
        if (key != null && (key.isEmpty() || key.length() > LONGEST_KEY)) {
            var response = JsonResponses.problem(
                    ProblemCode.INVALID_REQUEST, "Idempotency-Key: must be 1 to " + LONGEST_KEY + " characters.");
            throw RequestBodyReader.refusal(http, body, response);
        }
        Caller caller = ApiKeyFilter.caller(http);
        return bodies.work(http, body, incoming -> {
            CheckedRequest checked = incoming.read(json -> checks.check(caller, shape, json));
            return submit(http, caller, checked, key);
        });
    }

    HttpResponse<byte[]> validation(HttpRequest<?> http, RequestShape shape, @Nullable InputStream body)
            throws IOException {
        Caller caller = ApiKeyFilter.caller(http);
        return bodies.work(http, body, incoming -> {
            CheckedRequest checked = incoming.read(json -> checks.check(caller, shape, json));
            return JsonResponses.ok(checks.validation(caller, checked));
        });
    }

    private CompletionStage<? extends HttpResponse<byte[]>> submit(
            HttpRequest<?> http, Caller caller, CheckedRequest checked, @Nullable String key) {
        return switch (checked) {
            case CheckedRequest.Invalid invalid -> {
                metrics.refused(ProblemCode.INVALID_REQUEST);
                throw new RefusedException(JsonResponses.problem(ProblemCode.INVALID_REQUEST, invalid.errors()));
            }
            case CheckedRequest.Valid valid -> {
                Dataset dataset =
                        catalog.dataset(valid.request().query().dataset()).orElseThrow();
                RequestSpan span = RequestSpan.begin(http);
                DataFindings found = data.ofReport(dataset, valid, isRefusedInFull(caller, valid));
                Terms terms = terms(caller, dataset, valid, found);
                yield submissions
                        .submit(
                                caller,
                                terms.valid(),
                                terms.price(),
                                terms.refused(),
                                terms.warnings(),
                                key,
                                span.traceparent())
                        .whenComplete((s, failure) -> span.end(caller, dataset, s))
                        .thenApply(s -> {
                            count(dataset, s);
                            return answers.of(caller, s);
                        });
            }
        };
    }

    /**
     * What a request is submitted with.
     *
     * @param refused why it is refused unless it repeats an earlier one, or null
     */
    private record Terms(
            CheckedRequest.Valid valid,
            @Nullable VersionPrice price,
            @Nullable Refused refused,
            List<String> warnings) {}

    private Terms terms(Caller caller, Dataset dataset, CheckedRequest.Valid valid, DataFindings found) {
        Refused tags = checks.tooManyTags(caller, valid)
                .map(error -> new Refused(ProblemCode.TAG_LIMIT, error, null))
                .orElse(null);
        if (valid.quoteToken() == null) {
            return new Terms(valid, found.price(), tags, warnings(valid, found));
        }
        ReportQuery query = valid.request().query();
        return switch (quotes.check(caller, query, valid.openEnd(), valid.quoteToken())) {
            case QuoteTokens.Verdict.Fails(Refused refused) ->
                new Terms(valid, found.price(), refused, warnings(valid, found));
            case QuoteTokens.Verdict.Holds(VersionPrice price, ReportQuery.Dates dates) -> {
                Quote full = ReportEstimate.quote(dataset, query.withDates(dates));
                // What the current version does not have says nothing of another one.
                boolean same = price.dataVersion().equals(found.version());
                List<String> warnings = same ? warnings(valid, found) : valid.changes();
                yield new Terms(valid.with(dates, full), price, tags, warnings);
            }
        };
    }

    private void count(Dataset dataset, SubmissionOutcome submitted) {
        switch (submitted) {
            case SubmissionOutcome.Accepted _ -> metrics.accepted(dataset.name());
            case SubmissionOutcome.Replayed _ -> {}
            case SubmissionOutcome.Refused refused -> metrics.refused(refused.code());
        }
    }

    /** For the status of the report: how it differs from what was sent, and what the data do not have. */
    private static List<String> warnings(CheckedRequest.Valid valid, DataFindings found) {
        List<String> all = new ArrayList<>(valid.changes());
        all.addAll(found.warnings());
        return all;
    }

    /** Whether the request costs too much if all its entities are in the data. */
    private boolean isRefusedInFull(Caller caller, CheckedRequest.Valid valid) {
        long credits = valid.quote().credits();
        Long most = valid.request().maxCredits();
        return (most != null && credits > most) || credits > model.remaining(caller.accountId());
    }
}
