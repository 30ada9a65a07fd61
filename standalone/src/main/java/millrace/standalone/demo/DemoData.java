package millrace.standalone.demo;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/**
 * What decides every figure of the demo warehouse.
 *
 * @param lastDay the last day of the data, for example yesterday
 * @param sites how many of the sites have data, with as large a part of the keywords
 */
public record DemoData(long seed, LocalDate lastDay, int sites) {
    /** All that there are. */
    public static final int SITES = 512;

    /** Months of the monthly datasets; the newest is the last one that is over. */
    static final int MONTHS = 36;

    public DemoData {
        if (sites <= 0 || sites > SITES || sites % DemoDataset.PART != 0) {
            throw new IllegalArgumentException(
                    sites + " sites: must be a multiple of " + DemoDataset.PART + ", up to " + SITES);
        }
    }

    /** Of all sites. */
    public DemoData(long seed, LocalDate lastDay) {
        this(seed, lastDay, SITES);
    }

    /** First day of the first month. */
    public LocalDate firstDay() {
        return lastDay.plusDays(1).withDayOfMonth(1).minus(MONTHS, ChronoUnit.MONTHS);
    }

    /** Name of the data as a version of each dataset: letters, digits, {@code -}. */
    String version() {
        return "demo1-" + lastDay + "-" + Long.toUnsignedString(seed, 36);
    }
}
