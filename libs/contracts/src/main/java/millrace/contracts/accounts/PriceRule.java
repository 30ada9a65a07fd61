package millrace.contracts.accounts;

import millrace.contracts.reports.ResultCounts;

/**
 * The price of results in credits: {@code ceil((results + revealed) / divisor)}, rounded up once
 * per report.
 *
 * @param name name in the catalog, for example {@code per_25_results}
 * @param words the rule as a sentence, shown on receipts
 * @param divisor results per credit, at least 1
 * @param countsRevealed whether revealed domains are counted
 */
public record PriceRule(String name, String words, int divisor, boolean countsRevealed) {
    /** The simplest rule. */
    public static final PriceRule PER_RESULT = new PriceRule("per_result", "1 credit per result", 1, false);

    public PriceRule {
        if (divisor < 1) {
            throw new IllegalArgumentException("divisor of price rule " + name + " must be at least 1: " + divisor);
        }
    }

    /** The same rule, with or without revealed domains. */
    public PriceRule countingRevealed(boolean counted) {
        return new PriceRule(name, words, divisor, counted);
    }

    /** Credits of a report with these counts; 0 where there are no results. */
    public long price(ResultCounts counts) {
        long units = Math.addExact(counts.results(), countsRevealed ? counts.revealed() : 0);
        return Math.ceilDiv(units, divisor);
    }
}
