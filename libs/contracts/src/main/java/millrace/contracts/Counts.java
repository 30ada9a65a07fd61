package millrace.contracts;

/**
 * What a slice or a report holds, counted while it was written.
 *
 * @param rows rows without the header
 * @param results metric values that are present
 * @param revealed domains revealed by overlap metrics, once per queried domain and report; 0 where the price rule does not
 *     ask for them
 */
public record Counts(long rows, long results, long revealed) {
    public static final Counts NONE = new Counts(0, 0, 0);

    /** @throws ArithmeticException where a sum does not fit */
    public Counts plus(Counts other) {
        return new Counts(
                Math.addExact(rows, other.rows),
                Math.addExact(results, other.results),
                Math.addExact(revealed, other.revealed));
    }
}
