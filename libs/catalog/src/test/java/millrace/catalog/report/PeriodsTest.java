package millrace.catalog.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import millrace.catalog.access.AccessiblePeriods;
import millrace.catalog.access.Entitlements;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery.Dates;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodsTest {
    private static final LocalDate DATA_ENDS = LocalDate.parse("2025-10-31");

    @ParameterizedTest
    @CsvSource({
        "monthly, 2024-01-01, 2025-01-01, 13",
        "monthly, 2025-01-01, 2025-01-01, 1",
        "daily, 2024-02-28, 2024-03-01, 3",
        "daily, 2025-02-28, 2025-03-01, 2",
        "weekly, 2025-09-01, 2025-09-29, 5",
        "weekly, 2025-09-01, 2025-09-01, 1",
        "7days, 2025-09-01, 2025-09-01, 1",
        "7days, 2025-09-01, 2025-09-07, 1",
        "7days, 2025-09-01, 2025-09-08, 2",
        "7days, 2025-09-01, 2025-09-30, 5",
    })
    void areCounted(String granularity, LocalDate first, LocalDate last, long periods) {
        assertThat(Periods.count(new Dates(Granularity.of(granularity).orElseThrow(), first, last)))
                .isEqualTo(periods);
    }

    @Property
    void noRangeHasMoreWindowsThanAreCounted(
            @ForAll @IntRange(max = 400) int start,
            @ForAll @IntRange(max = 60) int days,
            @ForAll @IntRange(max = 6) int end) {
        LocalDate first = DATA_ENDS.minusDays(start);
        var dates = new Dates(Granularity.SEVEN_DAYS, first, first.plusDays(days));
        List<LocalDate> windows = list(dates, DATA_ENDS.plusDays(500 + end));
        assertThat((long) windows.size()).isBetween(Periods.count(dates) - 1, Periods.count(dates));
        assertThat(windows)
                .allSatisfy(w -> assertThat((DATA_ENDS.plusDays(500 + end).toEpochDay() - w.toEpochDay() + 1) % 7)
                        .isZero());
    }

    @Property
    void theCountIsTheLengthOfTheList(
            @ForAll @IntRange(max = 4_000) int start,
            @ForAll @IntRange(max = 800) int days,
            @ForAll Granularity granularity) {
        LocalDate from = LocalDate.parse("2020-01-01").plusDays(start);
        var dates = new Dates(
                granularity,
                Periods.onOrAfter(granularity, from),
                Periods.onOrBefore(granularity, from.plusDays(days + 31)));
        List<LocalDate> listed = list(dates, dates.first().plusDays(6));
        assertThat((long) listed.size()).isEqualTo(Periods.count(dates));
        if (granularity == Granularity.WEEKLY) {
            assertThat(listed).allMatch(d -> d.getDayOfWeek() == DayOfWeek.MONDAY);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "monthly, 2023-01-01, 2025-10-31, 2023-01-01, 2025-10-01",
        "monthly, 2023-01-02, 2025-10-30, 2023-02-01, 2025-09-01",
        "monthly, 2025-01-02, 2025-02-27, , ",
        "monthly, 2024-02-01, 2024-02-29, 2024-02-01, 2024-02-01",
        "weekly, 2025-09-01, 2025-09-07, 2025-09-01, 2025-09-01",
        "weekly, 2025-09-01, 2025-09-13, 2025-09-01, 2025-09-01",
        "weekly, 2025-09-02, 2025-09-13, , ",
        "daily, 2025-09-02, 2025-09-02, 2025-09-02, 2025-09-02",
        "7days, 2025-09-02, 2025-09-20, 2025-09-02, 2025-09-20",
    })
    void accessibleAreWholePeriods(
            String granularity, LocalDate from, LocalDate to, @Nullable LocalDate first, @Nullable LocalDate last) {
        Optional<AccessiblePeriods> periods = AccessiblePeriods.of(
                Granularity.of(granularity).orElseThrow(), List.of(new Entitlements.Access(Set.of("US"), from, to)));
        assertThat(periods.map(AccessiblePeriods::first)).isEqualTo(Optional.ofNullable(first));
        assertThat(periods.map(AccessiblePeriods::last)).isEqualTo(Optional.ofNullable(last));
    }

    /** The first days, ascending; windows of 7 days end on the last day of data. */
    private static List<LocalDate> list(Dates dates, LocalDate lastDayOfData) {
        LocalDate first = dates.granularity() == Granularity.SEVEN_DAYS
                ? dates.first()
                        .plusDays(Math.floorMod(
                                lastDayOfData.toEpochDay() + 1 - dates.first().toEpochDay(), 7))
                : dates.first();
        return Stream.iterate(first, day -> !day.isAfter(dates.last()), day -> Periods.next(dates.granularity(), day))
                .toList();
    }
}
