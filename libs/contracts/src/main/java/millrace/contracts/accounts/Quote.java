package millrace.contracts.accounts;

/**
 * What a report may cost at most.
 *
 * @param credits the estimate: never below the real charge, what the ledger reserves
 * @param rows most rows that the report can have
 * @param rule the price rule that the report is settled by, fixed at acceptance
 */
public record Quote(long credits, long rows, PriceRule rule) {}
