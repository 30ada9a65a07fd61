package millrace.gateway.api.reports;

import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.contracts.accounts.AccountRecord;
import org.jspecify.annotations.Nullable;

/**
 * Builds the answer of {@code /capabilities}: an account's credits, countries and dates by
 * category.
 */
final class Capabilities {
    private static final String WORLD = "WW";

    private Capabilities() {}

    /** @param snapshotInterval null where the account has nothing of any category */
    private record Data(@Nullable Interval snapshotInterval, List<Country> countries) {}

    private record Interval(LocalDate startDate, LocalDate endDate) {}

    private record Country(String code, String name) {}

    static Map<String, Object> of(AccountRecord account, long remaining) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("remaining_hits", remaining);
        Interval whole = whole(account.entitlements().values());
        for (CapabilityCategory category : CapabilityCategory.values()) {
            record.put(category.word(), data(account.entitlements().get(category.word()), whole));
        }
        return record;
    }

    /** From the first to the last day of all categories; null where there are none. */
    private static @Nullable Interval whole(Collection<AccountRecord.Entitlement> granted) {
        return granted.stream()
                .map(g -> new Interval(g.startDate(), g.endDate()))
                .reduce((a, b) -> new Interval(
                        a.startDate.isBefore(b.startDate) ? a.startDate : b.startDate,
                        a.endDate.isAfter(b.endDate) ? a.endDate : b.endDate))
                .orElse(null);
    }

    /**
     * @param whole the interval of a category of which the account has no countries: clients of the original read it
     *     from every category
     */
    private static Data data(AccountRecord.@Nullable Entitlement granted, @Nullable Interval whole) {
        return granted == null
                ? new Data(whole, List.of())
                : new Data(
                        new Interval(granted.startDate(), granted.endDate()),
                        granted.countries().stream().map(Capabilities::country).toList());
    }

    private static Country country(String code) {
        String name = code.equals(WORLD)
                ? "Worldwide"
                : new Locale.Builder().setRegion(code).build().getDisplayCountry(Locale.ENGLISH);
        return new Country(code, name);
    }
}
