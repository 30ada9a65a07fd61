package millrace.gateway.datasets;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.validation.CheckedRequest;
import millrace.contracts.requests.ReportQuery;
import millrace.files.entities.EntityDictionary;
import millrace.gateway.datasets.DataSentences.Names;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of what a valid request asks for and the data do not have. Where the entities cannot be
 * read in time, it says nothing about them: no request fails or waits long for a warning.
 */
@Singleton
public final class DataWarnings {
    private static final Logger LOG = LoggerFactory.getLogger(DataWarnings.class);

    /** Most entities that are looked up; those of longer lists are not. */
    static final int MOST_CHECKED = 10_000;
    /** For a report. Blocks that are in memory take microseconds. */
    private static final Duration SHORT = Duration.ofMillis(20);
    /** For a validation, and for a report whose list takes longer than this to be written. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private final PublishedDatasets datasets;
    private final EntityNames names;

    DataWarnings(PublishedDatasets datasets, EntityNames names) {
        this.datasets = datasets;
        this.names = names;
    }

    /** Blocks up to a second. */
    public List<String> ofValidation(Dataset dataset, CheckedRequest.Valid valid) {
        return of(dataset, valid, Names.OF_ANSWER, LONG);
    }

    /** Blocks up to 20 ms, or a second where the request has a long list; not at all where others have waited in vain. */
    public List<String> ofReport(Dataset dataset, CheckedRequest.Valid valid) {
        Duration wait = names.paused() ? Duration.ZERO : valid.entities() == null ? SHORT : LONG;
        return of(dataset, valid, Names.OF_STATUS, wait);
    }

    private List<String> of(Dataset dataset, CheckedRequest.Valid valid, Names shown, Duration wait) {
        PublishedDatasets.Version version = datasets.version(dataset.name()).orElse(null);
        if (version == null) {
            return List.of();
        }
        ReportQuery query = valid.request().query();
        List<String> warnings = new ArrayList<>();
        List<String> checked = first(query, valid.entities());
        try {
            EntityDictionary.Missing missing = names.missing(dataset.name(), checked, shown.most(), wait);
            DataSentences.entities(dataset.entity(), missing, checked.size(), query.entityCount(), shown)
                    .ifPresent(warnings::add);
        } catch (IOException e) {
            LOG.debug("entities not looked up dataset={} error={}", dataset.name(), e.getMessage());
        }
        DataSentences.metrics(query.metrics(), version.absentMetrics(), shown).ifPresent(warnings::add);
        warnings.addAll(DataSentences.dates(query.dates(), version.facts()));
        return warnings;
    }

    private static List<String> first(ReportQuery query, @Nullable SortedTextSet list) {
        return list == null
                ? query.entities()
                        .subList(0, Math.min(MOST_CHECKED, query.entities().size()))
                : list.first(MOST_CHECKED);
    }
}
