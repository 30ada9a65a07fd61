package millrace.contracts.reports;

/**
 * The number of rows, results and revealed domains of a slice or a report, counted while its file
 * is written.
 *
 * @param rows without the header
 * @param results metric values that are present
 * @param revealed domains revealed by overlap metrics, once per queried domain and report; 0 where
 *     the price rule does not count them
 */
public record ResultCounts(long rows, long results, long revealed) {
    public static final ResultCounts NONE = new ResultCounts(0, 0, 0);

    /** @throws ArithmeticException where a sum overflows */
    public ResultCounts plus(ResultCounts other) {
        return new ResultCounts(
                Math.addExact(rows, other.rows),
                Math.addExact(results, other.results),
                Math.addExact(revealed, other.revealed));
    }
}
