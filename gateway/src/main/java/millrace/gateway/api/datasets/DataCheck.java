package millrace.gateway.api.datasets;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.report.ReportEstimate;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.requests.ReportQuery;
import millrace.gateway.api.datasets.DataSentences.Names;
import millrace.gateway.api.datasets.EntityNames.Lookup;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a valid request asks for and the data do not have, and what the rest costs at most. Entities that cannot be
 * looked up in time count as if they were in the data: no request fails or waits long for this.
 */
@Singleton
public final class DataCheck {
    /** For a report. Blocks that are in memory take microseconds. */
    private static final Duration SHORT = Duration.ofMillis(20);
    /** For a validation, and for a report whose list takes longer than this to be written, or which is refused otherwise. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private final PublishedDatasets datasets;
    private final EntityNames names;

    DataCheck(PublishedDatasets datasets, EntityNames names) {
        this.datasets = datasets;
        this.names = names;
    }

    /** Blocks up to a second. */
    public DataFindings ofValidation(Dataset dataset, CheckedRequest.Valid valid) {
        return of(dataset, valid, Names.OF_ANSWER, LONG);
    }

    /**
     * Blocks up to 20 ms, or a second where the request has a long list or would be refused if all its entities counted;
     * not at all where others have waited in vain.
     */
    public DataFindings ofReport(Dataset dataset, CheckedRequest.Valid valid, boolean refusedOtherwise) {
        Duration patience = refusedOtherwise || valid.entities() != null ? LONG : SHORT;
        return of(dataset, valid, Names.OF_STATUS, names.paused() ? Duration.ZERO : patience);
    }

    private DataFindings of(Dataset dataset, CheckedRequest.Valid valid, Names shown, Duration wait) {
        ReportQuery query = valid.request().query();
        int entities = query.entityCount();
        PublishedDatasets.Version version = datasets.version(dataset.name()).orElse(null);
        if (version == null) {
            return new DataFindings(List.of(), entities, 0, 0, null, null);
        }
        SortedTextSet list = valid.entities();
        Optional<Lookup> found = names.look(dataset.name(), list == null ? query.entities() : list, shown.most(), wait);
        List<String> warnings = new ArrayList<>();
        found.flatMap(f -> DataSentences.entities(dataset.entity(), f.names(), entities, shown))
                .ifPresent(warnings::add);
        DataSentences.metrics(query.metrics(), version.absentMetrics(), shown).ifPresent(warnings::add);
        warnings.addAll(DataSentences.dates(query.dates(), version.facts()));
        Optional<Lookup> whole = found.filter(Lookup::whole);
        return new DataFindings(
                warnings,
                entities,
                whole.map(f -> f.names().checked()).orElse(0),
                whole.map(f -> f.names().count()).orElse(0),
                whole.map(Lookup::version).orElse(version.name()),
                whole.map(f -> price(dataset, valid, f)).orElse(null));
    }

    /** Null where what is missing makes nothing cheaper. */
    private static @Nullable VersionPrice price(Dataset dataset, CheckedRequest.Valid valid, Lookup found) {
        ReportQuery query = valid.request().query();
        int there = query.entityCount() - found.names().count();
        long credits = ReportEstimate.quote(dataset, query, there).credits();
        return credits < valid.quote().credits() ? new VersionPrice(found.version(), credits) : null;
    }
}
