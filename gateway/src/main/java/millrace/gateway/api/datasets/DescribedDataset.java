package millrace.gateway.api.datasets;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.catalog.access.DatasetDescription;
import millrace.contracts.requests.DatasetFacts;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as the describe operation shows it to an account: what the account may ask for, and the
 * current data.
 *
 * @param data null where it is not known yet
 */
public record DescribedDataset(
        @JsonUnwrapped DatasetDescription description,
        @Nullable Data data) {

    /**
     * The current data.
     *
     * @param periods by granularity, the periods that have rows
     * @param accessible first days of the first and last of them that the account can access; null
     *     where it can access none
     * @param absentMetrics metrics that the version has no column for; null where it has all
     */
    public record Data(
            String version,
            @Nullable Instant updatedAt,
            long rowCount,
            long entityCount,
            Map<String, DatasetFacts.Span> periods,
            DatasetFacts.@Nullable Span accessible,
            List<String> sampleEntities,
            @Nullable List<String> absentMetrics) {}

    /** @param version null where it is not known yet */
    public static DescribedDataset of(DatasetDescription description, PublishedDatasets.@Nullable Version version) {
        if (version == null) {
            return new DescribedDataset(description, null);
        }
        DatasetFacts facts = version.facts();
        return new DescribedDataset(
                description,
                new Data(
                        version.name(),
                        facts.updatedAt(),
                        facts.rowCount(),
                        facts.entityCount(),
                        facts.periods(),
                        accessible(description, facts),
                        facts.sampleEntities(),
                        version.absentMetrics().isEmpty() ? null : version.absentMetrics()));
    }

    private static DatasetFacts.@Nullable Span accessible(DatasetDescription description, DatasetFacts facts) {
        List<DatasetFacts.Span> spans = new ArrayList<>();
        facts.periods().forEach((granularity, data) -> {
            DatasetDescription.History history = description.tableGranularity().get(granularity);
            LocalDate start = history == null ? null : history.startDate();
            LocalDate end = history == null ? null : history.endDate();
            if (start != null && end != null) {
                LocalDate first = data.first().isAfter(start) ? data.first() : start;
                LocalDate last = data.last().isBefore(end) ? data.last() : end;
                if (!last.isBefore(first)) {
                    spans.add(new DatasetFacts.Span(first, last));
                }
            }
        });
        return spans.stream()
                .reduce((a, b) -> new DatasetFacts.Span(
                        a.first().isBefore(b.first()) ? a.first() : b.first(),
                        a.last().isAfter(b.last()) ? a.last() : b.last()))
                .orElse(null);
    }
}
