package millrace.gateway.api.reports;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.original.DatasetOfMetrics;
import millrace.catalog.original.NestedBody;
import millrace.catalog.original.ReadBody;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestContext;
import millrace.catalog.validation.RequestContext.SentBody;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.contracts.Json;
import millrace.contracts.reports.Status;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportQuery;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.QuoteTokens;
import millrace.gateway.admission.SubmissionOutcome.Refused;
import millrace.gateway.api.datasets.DataCheck;
import millrace.gateway.api.datasets.DataFindings;
import millrace.gateway.api.datasets.PublishedDatasets;
import millrace.gateway.copy.reports.HistoryFilter;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.server.body.BodySpool;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.Accounts;
import org.jspecify.annotations.Nullable;

/** Checks request bodies against the catalog and the account's entitlements. */
@Singleton
final class RequestChecks {
    /** Of an account, as long as its reports are known: pages and queries group by them. */
    private static final int MOST_TAG_NAMES = 20;

    private static final int MOST_TAG_VALUES = 1_000;

    /** How long ago, and among how many of the account's newest, a report with the same file is looked for. */
    private static final Duration RECENT = Duration.ofHours(1);

    private static final int MOST_RECENT = 50;

    private static final String NO_SECRET =
            ": the account has no webhook secret, so that no event could be signed; the operator makes one.";

    /** How a request for a report says which dataset it is about, and how its body is built. */
    sealed interface RequestShape {
        /** A body of v3; the path names the dataset. */
        record OfDataset(Dataset dataset) implements RequestShape {}

        /** A body of v3 on a path without a dataset: it is about the one that has its metrics. */
        record OfMetrics() implements RequestShape {}

        /** A body of v4 or v5, which names the dataset. */
        record Nested() implements RequestShape {}
    }

    private final RequestValidator validator;
    private final Catalog catalog;
    private final PublishedDatasets published;
    private final ReadModel model;
    private final Accounts accounts;
    private final DataCheck data;
    private final QuoteTokens quotes;
    private final InstantSource clock;

    RequestChecks(
            GatewaySettings settings,
            Catalog catalog,
            PublishedDatasets published,
            ReadModel model,
            Accounts accounts,
            DataCheck data,
            QuoteTokens quotes,
            InstantSource clock) {
        this.validator = new RequestValidator(new RequestLimits(settings.maxEntities()));
        this.catalog = catalog;
        this.published = published;
        this.model = model;
        this.accounts = accounts;
        this.data = data;
        this.quotes = quotes;
        this.clock = clock;
    }

    /**
     * The answer of request-validate.
     *
     * @param knownEntities that are in the data, so that the estimate counts them; this and {@code unknownEntities} are
     *     null where not all could be looked up
     * @param quote the price that a report costs at most for a while; null if no version of the data is known
     */
    record Validation(
            @Nullable Long estimatedCredits,
            @JsonProperty("is_valid") boolean isValid,
            @Nullable List<String> errors,
            List<String> warnings,
            @Nullable Integer knownEntities,
            @Nullable Integer unknownEntities,
            QuoteTokens.@Nullable PriceQuote quote) {}

    /** @throws IOException where the body cannot be read */
    CheckedRequest check(Caller caller, RequestShape shape, InputStream json) throws IOException {
        return switch (shape) {
            case RequestShape.OfDataset(Dataset dataset) -> check(caller, dataset, json, caller.dialect(), SentBody.V3);
            case RequestShape.OfMetrics() -> {
                try (var spool = new BodySpool()) {
                    json.transferTo(spool);
                    yield check(caller, datasetOf(spool), spool, caller.dialect());
                }
            }
            case RequestShape.Nested() -> {
                try (var spool = new BodySpool()) {
                    yield check(caller, NestedBody.translate(json, spool, catalog), spool, ApiDialect.ORIGINAL);
                }
            }
        };
    }

    private ReadBody datasetOf(BodySpool body) throws IOException {
        try (InputStream json = body.read()) {
            return DatasetOfMetrics.find(json, catalog);
        }
    }

    /** @param v3 the body, as one of v3 */
    private CheckedRequest check(Caller caller, ReadBody body, BodySpool v3, ApiDialect dialect) throws IOException {
        Optional<Dataset> dataset = body.dataset();
        if (dataset.isEmpty()) {
            return body.sent().invalid();
        }
        try (InputStream json = v3.read()) {
            return check(caller, dataset.get(), json, dialect, body.sent());
        }
    }

    private CheckedRequest check(Caller caller, Dataset dataset, InputStream json, ApiDialect dialect, SentBody sent) {
        var context =
                new RequestContext(caller.entitlements(), dialect, g -> published.lastPeriod(dataset.name(), g), sent);
        CheckedRequest checked = validator.validate(dataset, json, context);
        return checked instanceof CheckedRequest.Valid valid
                        && valid.request().webhookUrl() != null
                        && !accounts.signsWebhooks(caller.accountId())
                ? new CheckedRequest.Invalid(
                        List.of(sent.names().of(RequestFields.WEBHOOK_URL, null) + NO_SECRET), valid.warnings())
                : checked;
    }

    Validation validation(Caller caller, CheckedRequest checked) {
        return switch (checked) {
            case CheckedRequest.Invalid(List<String> errors, List<String> warnings) -> invalid(errors, warnings);
            case CheckedRequest.Valid valid -> {
                List<String> warnings = new ArrayList<>(valid.warnings());
                Optional<String> tags = tooManyTags(caller, valid);
                if (tags.isPresent()) {
                    yield invalid(List.of(tags.get()), warnings);
                }
                Dataset dataset =
                        catalog.dataset(valid.request().query().dataset()).orElseThrow();
                DataFindings found = data.ofValidation(dataset, valid);
                warnings.addAll(found.warnings());
                found.unchecked(dataset).ifPresent(warnings::add);
                long credits = found.credits(valid.quote());
                Long most = valid.request().maxCredits();
                if (most != null && credits > most) {
                    yield invalid(List.of(Refused.aboveLimit(credits, most).error()), warnings);
                }
                long remaining = model.remaining(caller.accountId());
                if (credits > remaining) {
                    warnings.add("The estimate of " + credits + " credits is above the " + remaining
                            + " credits that remain.");
                }
                sameReport(caller, valid.request().query(), found.version()).ifPresent(warnings::add);
                yield new Validation(
                        credits,
                        true,
                        null,
                        warnings,
                        found.complete() ? found.entities() - found.unknown() : null,
                        found.complete() ? found.unknown() : null,
                        found.version() == null
                                ? null
                                : quotes.of(
                                        caller, valid.request().query(), valid.openEnd(), credits, found.version()));
            }
        };
    }

    /** Names a recent report with the same rows, so that nobody pays twice by mistake. */
    private Optional<String> sameReport(Caller caller, ReportQuery query, @Nullable String version) {
        if (version == null) {
            return Optional.empty();
        }
        String hash = QueryHash.of(query);
        long since = clock.instant().minus(RECENT).toEpochMilli();
        var recent = new HistoryFilter(null, null, null, null, null, Map.of(), since);
        return model.history(caller.accountId(), null, recent, MOST_RECENT).found().stream()
                .filter(report -> report.word() != Status.INTERNAL_ERROR)
                .map(ReportView::status)
                // One that has not begun will read the current version.
                .filter(report -> hash.equals(report.querySha256())
                        && (report.dataVersion() == null || report.dataVersion().equals(version)))
                .findFirst()
                .map(report -> "Report " + report.reportId() + " of " + Json.format(report.submittedAt())
                        + " asks for the same over the same version of the data, so its rows are the same.");
    }

    /** Why the account can have no report with the tags of the request, as a sentence; empty if it can. */
    Optional<String> tooManyTags(Caller caller, CheckedRequest.Valid valid) {
        Map<String, String> tags = valid.request().tags();
        return tags == null
                ? Optional.empty()
                : model.tooManyTags(caller.accountId(), tags, MOST_TAG_VALUES, MOST_TAG_NAMES);
    }

    private static Validation invalid(List<String> errors, List<String> warnings) {
        return new Validation(null, false, errors, warnings, null, null, null);
    }
}
