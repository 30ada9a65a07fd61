package millrace.processor.ledger.account;

import java.time.Duration;

/**
 * What the ledger goes by.
 *
 * @param slicing how reports are cut
 * @param turns how much is handed out at once
 * @param times how long things last
 */
public record LedgerRules(Slicing slicing, Turns turns, Times times) {
    /** Most attempts of a report: the request itself and 3 retries. */
    public static final int ATTEMPTS = 4;
    /** How often a slice is handed out at most. */
    public static final int DISPATCHES = 3;
    /** A change of progress smaller than this is not published. */
    static final double PROGRESS_STEP = 0.05;

    /**
     * A slice aims at 250 ms of work.
     *
     * @param rows estimated rows of a slice
     * @param entities most entities of a slice
     * @param slices most slices of a report, whatever that makes of the other two
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
     * @param lease how long after the last word of its worker a slice counts as lost
     * @param waitTimeout how long a slice may wait for a worker before it counts as lost
     * @param files how long the file of a report can be downloaded
     * @param reports how long a report is known after its end
     * @param opening how often the ledger says where an account stands
     */
    public record Times(Duration lease, Duration waitTimeout, Duration files, Duration reports, Duration opening) {
        public Times {
            if (!(lease.isPositive()
                    && waitTimeout.isPositive()
                    && files.isPositive()
                    && reports.isPositive()
                    && opening.isPositive())) {
                throw new IllegalArgumentException("times must be longer than nothing");
            }
        }
    }
}
