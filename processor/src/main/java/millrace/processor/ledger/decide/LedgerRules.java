package millrace.processor.ledger.decide;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits and times that the ledger applies.
 *
 * @param slicing how reports are cut
 * @param turns how much is handed out at once
 * @param times leases, timeouts and retention
 */
public record LedgerRules(Slicing slicing, Turns turns, Times times) {
    /** Greatest number of dispatches of a slice. */
    public static final int DISPATCHES = 3;
    /**
     * How long a file stays after its last download can have begun. The clocks of gateways may be behind by so much, as
     * Kafka refuses records that are further ahead.
     */
    static final Duration FILES_AFTER_END = Duration.ofHours(1);
    /**
     * A report that is forgotten has its file deleted once more, unless that was due for so long that it is done.
     */
    static final Duration FILES_BEHIND = Duration.ofDays(7);
    /** A change of progress smaller than this is not published. */
    static final double PROGRESS_STEP = 0.05;

    /**
     * A slice should take about 250 ms.
     *
     * @param rows estimated rows of a slice
     * @param entities most entities of a slice
     * @param slices most slices of a report; takes precedence over the other two
     */
    public record Slicing(long rows, int entities, int slices) {
        public Slicing {
            if (rows < 1 || entities < 1 || slices < 1) {
                throw new IllegalArgumentException("rows, entities and slices must be at least 1");
            }
        }
    }

    /**
     * @param report most slices of one report in flight
     * @param account most slices of one account in flight
     * @param small most small reports of one account in flight
     */
    public record Turns(int report, int account, int small) {
        public Turns {
            if (report < 1 || account < 1 || small < 1) {
                throw new IllegalArgumentException("report, account and small must be at least 1");
            }
        }
    }

    /**
     * @param lease how long after the last answer of its worker a slice counts as lost
     * @param waitTimeout how long a slice may wait for a worker before it counts as lost
     * @param files how long the file of a report can be downloaded where the request does not say
     * @param mostFiles the longest time that a request may say
     * @param reports how long a report is known after its end
     * @param opening how often the ledger says where an account stands
     */
    public record Times(
            Duration lease,
            Duration waitTimeout,
            Duration files,
            Duration mostFiles,
            Duration reports,
            Duration opening) {
        public Times {
            if (!(lease.isPositive()
                    && waitTimeout.isPositive()
                    && files.isPositive()
                    && mostFiles.isPositive()
                    && reports.isPositive()
                    && opening.isPositive())) {
                throw new IllegalArgumentException("times must be longer than nothing");
            }
        }

        /** @param days that the request says, or null */
        Duration files(@Nullable Integer days) {
            if (days == null) {
                return files;
            }
            Duration wanted = Duration.ofDays(days);
            return wanted.compareTo(mostFiles) > 0 ? mostFiles : wanted;
        }
    }
}
