package millrace.processor.ledger.account.state;

import java.time.Instant;

/**
 * A task that is handed out.
 *
 * @param dispatch how often its slice has been, from 1
 * @param due when it counts as lost, unless its worker is heard of before
 */
public record DispatchedSlice(int dispatch, Instant due) {}
