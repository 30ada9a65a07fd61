package millrace.gateway.api.events;

import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.contracts.accounts.AccountRecord;
import millrace.runtime.accounts.Accounts;

/** Which datasets an account may ask for. */
@Singleton
final class VisibleDatasets {
    private final Catalog catalog;
    private final Accounts accounts;

    VisibleDatasets(Catalog catalog, Accounts accounts) {
        this.catalog = catalog;
        this.accounts = accounts;
    }

    /** Whether the account may ask for at least one metric of the dataset. */
    boolean sees(String accountId, String dataset) {
        Set<String> categories = accounts.record(accountId)
                .map(AccountRecord::entitlements)
                .map(Map::keySet)
                .orElse(Set.of());
        return catalog.dataset(dataset)
                .filter(found -> found.metrics().stream().anyMatch(metric -> metric.categories().stream()
                        .map(CapabilityCategory::word)
                        .allMatch(categories::contains)))
                .isPresent();
    }
}
