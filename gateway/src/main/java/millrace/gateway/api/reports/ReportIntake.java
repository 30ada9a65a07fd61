package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.report.ReportEstimate;
import millrace.catalog.report.ReportSplit;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.Quote;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.operation.ProcessState;
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
import millrace.gateway.health.ProcessStates;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.GatewayMetrics;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Accepts and validates requests for reports, whatever their path and the shape of their body. Blocks. */
@Singleton
public final class ReportIntake {
    private static final int LONGEST_KEY = 255;

    private static final Refused NOT_YET = new Refused(
            ProblemCode.NOT_YET_SUPPORTED,
            RequestFields.SPLIT
                    + ": the service is being upgraded, and not all of it can make several files yet; try again"
                    + " later, or leave it out.",
            null);
    private static final Refused TOO_MANY_FILES = new Refused(
            ProblemCode.INVALID_REQUEST,
            RequestFields.SPLIT + "." + RequestFields.MAX_ROWS
                    + ": is too small for the dates of the quote; validate the request again.",
            null);

    private static final Refused QUOTE_USED = new Refused(
            ProblemCode.QUOTE_MISMATCH,
            RequestFields.QUOTE + ": it has made another report, or one that was erased; quote the request again.",
            null);

    private final Catalog catalog;
    private final RequestBodyReader bodies;
    private final RequestChecks checks;
    private final DataCheck data;
    private final ReadModel model;
    private final Submissions submissions;
    private final SubmissionResponses answers;
    private final QuoteTokens quotes;
    private final ProcessStates processes;
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
            ProcessStates processes,
            GatewayMetrics metrics) {
        this.catalog = catalog;
        this.bodies = bodies;
        this.checks = checks;
        this.data = data;
        this.model = model;
        this.submissions = submissions;
        this.answers = answers;
        this.quotes = quotes;
        this.processes = processes;
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
            return submit(http, caller, valid(checked), key).thenApply(s -> answers.of(http, caller, s));
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

    /**
     * What a report would cost, with a quote, as request-validate answers it.
     *
     * @param json a body of v3
     * @throws RefusedException if there is no such dataset, the request is not valid, or there is no version to quote
     */
    public HttpResponse<byte[]> quote(Caller caller, String dataset, byte[] json) throws IOException {
        RequestChecks.Validation validation = checks.validation(caller, check(caller, dataset, json));
        if (!validation.isValid()) {
            throw invalid(Objects.requireNonNullElse(validation.errors(), List.of()));
        }
        if (validation.quote() == null) {
            throw new RefusedException(JsonResponses.unavailable(
                    ProblemCode.DATASET_UNAVAILABLE,
                    "The data of " + dataset + " are not known at the moment, so nothing can be quoted; try again."));
        }
        return JsonResponses.ok(validation);
    }

    /**
     * Accepts a request that has a quote, as request-report answers it. A quote makes one report, however often it is
     * sent. Blocks until Kafka has the request.
     *
     * @param json a body of v3
     * @throws RefusedException if there is no such dataset, or the request is not valid or has no quote
     */
    public HttpResponse<byte[]> quotedReport(HttpRequest<?> http, String dataset, byte[] json) throws IOException {
        Caller caller = ApiKeyFilter.caller(http);
        CheckedRequest.Valid valid = valid(check(caller, dataset, json));
        if (valid.quoteToken() == null) {
            throw invalid(List.of(RequestFields.QUOTE + ": is required here; have the same request quoted first."));
        }
        try {
            SubmissionOutcome outcome = submit(http, caller, valid, "quote-" + Hashes.sha256(valid.quoteToken()))
                    .join();
            return answers.of(http, caller, isKeyTaken(outcome) ? QUOTE_USED : outcome);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static boolean isKeyTaken(SubmissionOutcome outcome) {
        return outcome instanceof Refused refused && refused.code() == ProblemCode.IDEMPOTENCY_CONFLICT;
    }

    private CheckedRequest check(Caller caller, String dataset, byte[] json) throws IOException {
        Dataset declared = catalog.dataset(dataset)
                .orElseThrow(() -> new RefusedException(JsonResponses.unknownDataset(dataset, catalog.names())));
        return checks.check(caller, new RequestShape.OfDataset(declared), new ByteArrayInputStream(json));
    }

    private CheckedRequest.Valid valid(CheckedRequest checked) {
        return switch (checked) {
            case CheckedRequest.Valid valid -> valid;
            case CheckedRequest.Invalid invalid -> {
                metrics.refused(ProblemCode.INVALID_REQUEST);
                throw invalid(invalid.errors());
            }
        };
    }

    private static RefusedException invalid(List<String> errors) {
        return new RefusedException(JsonResponses.problem(ProblemCode.INVALID_REQUEST, errors));
    }

    private CompletableFuture<SubmissionOutcome> submit(
            HttpRequest<?> http, Caller caller, CheckedRequest.Valid valid, @Nullable String key) {
        Dataset dataset = catalog.dataset(valid.request().query().dataset()).orElseThrow();
        RequestSpan span = RequestSpan.begin(http);
        DataFindings found = data.ofReport(dataset, valid, isRefusedInFull(caller, valid));
        Terms terms = terms(caller, dataset, valid, found);
        return submissions
                .submit(
                        caller,
                        terms.valid(),
                        terms.price(),
                        terms.refused(),
                        terms.warnings(),
                        key,
                        span.traceparent())
                .whenComplete((s, failure) -> {
                    span.end(caller, dataset, s);
                    if (failure == null) {
                        count(dataset, s);
                    }
                });
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
        ReportQuery query = valid.request().query();
        if (valid.quoteToken() == null) {
            return new Terms(valid, found.price(), refusal(caller, valid), warnings(valid, found));
        }
        return switch (quotes.check(caller, query, valid.openEnd(), valid.quoteToken())) {
            case QuoteTokens.Verdict.Fails(Refused failure) ->
                new Terms(valid, found.price(), failure, warnings(valid, found));
            case QuoteTokens.Verdict.Holds(VersionPrice price, ReportQuery.Dates dates) -> {
                Optional<ReportQuery> cut = ReportSplit.again(dataset, query.withDates(dates));
                if (cut.isEmpty()) {
                    yield new Terms(valid, found.price(), TOO_MANY_FILES, warnings(valid, found));
                }
                Quote full = ReportEstimate.quote(dataset, cut.get());
                // What the current version does not have says nothing of another one.
                boolean same = price.dataVersion().equals(found.version());
                List<String> warnings = same ? warnings(valid, found) : valid.changes();
                CheckedRequest.Valid held = valid.with(cut.get(), full);
                yield new Terms(held, price, refusal(caller, held), warnings);
            }
        };
    }

    /** Why the request is refused whatever it costs, unless it repeats an earlier one; null if it is not. */
    private @Nullable Refused refusal(Caller caller, CheckedRequest.Valid valid) {
        // Of what fits into one file, builds before make the same.
        if (valid.request().query().parts() > 1 && !processes.allKnow(ProcessState.FORM_OF_PARTS)) {
            return NOT_YET;
        }
        return checks.tooManyTags(caller, valid)
                .map(error -> new Refused(ProblemCode.TAG_LIMIT, error, null))
                .orElse(null);
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
