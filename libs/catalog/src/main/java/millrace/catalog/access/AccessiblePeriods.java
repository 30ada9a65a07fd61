package millrace.catalog.access;

import java.time.LocalDate;
import java.util.Collection;
import java.util.Optional;
import millrace.catalog.report.Periods;
import millrace.contracts.requests.Granularity;

/**
 * The whole periods within an account's accessible history.
 *
 * @param first first day of the first period
 * @param last first day of the last period; for {@code 7days}, whose windows are not known here,
 *     the last day of history
 */
public record AccessiblePeriods(LocalDate first, LocalDate last) {

    /**
     * The periods within every one of the histories. Empty where there are none, or no history is
     * given.
     */
    public static Optional<AccessiblePeriods> of(Granularity granularity, Collection<Entitlements.Access> histories) {
        LocalDate start = LocalDate.MIN;
        LocalDate end = LocalDate.MAX;
        for (Entitlements.Access history : histories) {
            start = history.first().isAfter(start) ? history.first() : start;
            end = history.last().isBefore(end) ? history.last() : end;
        }
        return histories.isEmpty() ? Optional.empty() : between(granularity, start, end);
    }

    private static Optional<AccessiblePeriods> between(Granularity granularity, LocalDate start, LocalDate end) {
        LocalDate first = Periods.onOrAfter(granularity, start);
        LocalDate last = granularity == Granularity.SEVEN_DAYS ? end : lastWhole(granularity, end);
        return last.isBefore(first) ? Optional.empty() : Optional.of(new AccessiblePeriods(first, last));
    }

    private static LocalDate lastWhole(Granularity granularity, LocalDate end) {
        LocalDate containing = Periods.onOrBefore(granularity, end);
        LocalDate lastDay = Periods.next(granularity, containing).minusDays(1);
        return lastDay.isAfter(end) ? Periods.onOrBefore(granularity, containing.minusDays(1)) : containing;
    }
}
