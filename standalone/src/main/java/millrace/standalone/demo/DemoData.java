package millrace.standalone.demo;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/**
 * What decides every figure of the demo warehouse.
 *
 * @param lastDay the last day of the data, for example yesterday
 */
public record DemoData(long seed, LocalDate lastDay) {
    /** Months of the monthly datasets; the newest is the last one that is over. */
    static final int MONTHS = 36;

    /** First day of the first month. */
    public LocalDate firstDay() {
        return lastDay.plusDays(1).withDayOfMonth(1).minus(MONTHS, ChronoUnit.MONTHS);
    }

    /** Name of the data as a version of each dataset: letters, digits, {@code -}. */
    String version() {
        return "demo1-" + lastDay + "-" + Long.toUnsignedString(seed, 36);
    }
}
