package millrace.catalog.report;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery.Dates;

/**
 * Computes with periods, each named by its first day. A period belongs to a range when its first
 * day is in it. Weeks start on Monday. Windows of {@code 7days} are counted back from the last day
 * of data. Without that day only their number can be bounded: one for each seven days begun.
 */
public final class Periods {
    private static final int WEEK = 7;

    private Periods() {}

    /** Number of periods; for {@code 7days} an upper bound. */
    public static long count(Dates dates) {
        return switch (dates.granularity()) {
            case DAILY -> ChronoUnit.DAYS.between(dates.first(), dates.last()) + 1;
            case WEEKLY -> ChronoUnit.WEEKS.between(dates.first(), dates.last()) + 1;
            case SEVEN_DAYS -> Math.ceilDiv(ChronoUnit.DAYS.between(dates.first(), dates.last()) + 1, WEEK);
            case MONTHLY -> ChronoUnit.MONTHS.between(dates.first(), dates.last()) + 1;
        };
    }

    /** Whether a period begins on the day; for {@code 7days} always. */
    public static boolean begins(Granularity granularity, LocalDate day) {
        return onOrBefore(granularity, day).equals(day);
    }

    /**
     * The first day of the period that begins on or after the day; for {@code 7days} the day
     * itself.
     */
    public static LocalDate onOrAfter(Granularity granularity, LocalDate day) {
        return switch (granularity) {
            case DAILY, SEVEN_DAYS -> day;
            case WEEKLY -> day.with(TemporalAdjusters.nextOrSame(DayOfWeek.MONDAY));
            case MONTHLY -> day.getDayOfMonth() == 1 ? day : day.with(TemporalAdjusters.firstDayOfNextMonth());
        };
    }

    /**
     * The first day of the last period that begins on or before the day; for {@code 7days} the day
     * itself.
     */
    public static LocalDate onOrBefore(Granularity granularity, LocalDate day) {
        return switch (granularity) {
            case DAILY, SEVEN_DAYS -> day;
            case WEEKLY -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTHLY -> day.withDayOfMonth(1);
        };
    }

    /** The first day of the period after the one that begins on {@code first}. */
    public static LocalDate next(Granularity granularity, LocalDate first) {
        return switch (granularity) {
            case DAILY -> first.plusDays(1);
            case WEEKLY, SEVEN_DAYS -> first.plusDays(WEEK);
            case MONTHLY -> first.plusMonths(1);
        };
    }
}
