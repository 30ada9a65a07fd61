package millrace.standalone.demo;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/**
 * The parameters that determine every figure of the demo warehouse.
 *
 * @param lastDay the last day of the data, for example yesterday
 * @param sites number of sites with data; an equal share of the keywords has data
 */
public record DemoData(long seed, LocalDate lastDay, int sites) {
    /** Number of all sites. */
    static final int SITES = 512;

    /** Months of the monthly datasets; the newest is the last whole one. */
    static final int MONTHS = 36;

    public DemoData {
        if (sites <= 0 || sites > SITES || sites % DemoDataset.PART != 0) {
            throw new IllegalArgumentException(
                    sites + " sites: must be a multiple of " + DemoDataset.PART + ", up to " + SITES);
        }
    }

    /** Data for all sites. */
    public DemoData(long seed, LocalDate lastDay) {
        this(seed, lastDay, SITES);
    }

    /** First day of the first month. */
    public LocalDate firstDay() {
        return lastDay.plusDays(1).withDayOfMonth(1).minus(MONTHS, ChronoUnit.MONTHS);
    }

    /** Version of each dataset: letters, digits, {@code -}. */
    String version() {
        return "demo2-" + lastDay + "-" + Long.toUnsignedString(seed, 36);
    }
}
