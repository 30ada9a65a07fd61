package millrace.processor.ledger.decide;

import java.time.Instant;

/**
 * A slice, or the assembly, that is handed out.
 *
 * @param dispatch number of this dispatch, from 1
 * @param due when it counts as lost, unless its worker answers before
 */
record DispatchedSlice(int dispatch, Instant due) {}
