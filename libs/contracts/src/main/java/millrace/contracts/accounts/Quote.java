package millrace.contracts.accounts;

/**
 * The most that a report may cost.
 *
 * @param credits the estimate that the ledger reserves; never below the charge
 * @param rows most rows of the report
 * @param rule the price rule of the report, fixed at acceptance
 */
public record Quote(long credits, long rows, PriceRule rule) {
    /** The same report for other credits. */
    public Quote withCredits(long other) {
        return new Quote(other, rows, rule);
    }
}
