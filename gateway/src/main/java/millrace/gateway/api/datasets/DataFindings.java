package millrace.gateway.api.datasets;

import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.accounts.Quote;
import millrace.contracts.accounts.VersionPrice;
import org.jspecify.annotations.Nullable;

/**
 * What the current data have of a valid request.
 *
 * @param warnings sentences about what they do not have
 * @param entities of the request
 * @param checked how many of them were looked up, the first in their order; the price counts the others
 * @param unknown how many of those are not in the data
 * @param version of the data that they were looked up in; null if none is known
 * @param price what the request may cost at most; null where that is its quote, which counts all entities
 */
public record DataFindings(
        List<String> warnings,
        int entities,
        int checked,
        int unknown,
        @Nullable String version,
        @Nullable VersionPrice price) {

    public DataFindings {
        warnings = List.copyOf(warnings);
    }

    /** What the request may cost at most. */
    public long credits(Quote quote) {
        return price == null ? quote.credits() : price.credits();
    }

    /** Whether all entities were looked up. */
    public boolean complete() {
        return checked == entities;
    }

    /** That the price counts entities that were not looked up; empty where it counts none. */
    public Optional<String> unchecked(Dataset dataset) {
        return DataSentences.unchecked(dataset.entity(), checked, entities);
    }
}
