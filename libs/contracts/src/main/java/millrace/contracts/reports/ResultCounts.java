package millrace.contracts.reports;

/**
 * What a slice or a report holds, counted while it was written.
 *
 * @param rows rows without the header
 * @param results metric values that are present
 * @param revealed domains revealed by overlap metrics, once per queried domain and report; 0 where the price rule does not
 *     ask for them
 */
public record ResultCounts(long rows, long results, long revealed) {
    public static final ResultCounts NONE = new ResultCounts(0, 0, 0);

    /** @throws ArithmeticException where a sum does not fit */
    public ResultCounts plus(ResultCounts other) {
        return new ResultCounts(
                Math.addExact(rows, other.rows),
                Math.addExact(results, other.results),
                Math.addExact(revealed, other.revealed));
    }
}
