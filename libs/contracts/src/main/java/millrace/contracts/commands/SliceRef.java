package millrace.contracts.commands;

import java.util.UUID;

/**
 * Identifies one dispatch of one slice of one attempt, so that a late answer of an earlier attempt
 * cannot change a later one.
 *
 * @param attempt 1 for the request itself, one more for each retry, at most 4
 * @param slice number of the slice, from 0; {@link #ASSEMBLY} for putting the parts together
 * @param dispatch how often the slice has been handed out, from 1
 */
public record SliceRef(UUID reportId, int attempt, int slice, int dispatch) {
    /** The slice number of assembly. */
    public static final int ASSEMBLY = -1;
}
