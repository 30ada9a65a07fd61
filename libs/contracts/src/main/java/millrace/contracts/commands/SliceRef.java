package millrace.contracts.commands;

import java.util.UUID;

/**
 * Identifies one dispatch of one slice of one attempt, so that a late answer of an earlier attempt
 * cannot change a later one.
 *
 * @param attempt 1 for the request itself, one more for each retry, at most 4
 * @param slice number of the slice, from 0; {@link #ASSEMBLY} for the last step of a report of several slices; {@link
 *     #ofPart} for putting the slices of a part together
 * @param dispatch how often the slice has been handed out, from 1
 */
public record SliceRef(UUID reportId, int attempt, int slice, int dispatch) {
    /** The slice number of the last step: the slices are put together, or the manifest of the parts is written. */
    public static final int ASSEMBLY = -1;

    /**
     * The slice number of putting a part of a report together.
     *
     * @param part from 0
     */
    public static int ofPart(int part) {
        return ASSEMBLY - 1 - part;
    }

    /** Whether it is a slice, and not put together from slices. */
    public boolean namesSlice() {
        return slice >= 0;
    }

    /** Whether it is a part that is put together from slices; {@link #part()} is its number. */
    public boolean namesPart() {
        return slice < ASSEMBLY;
    }

    /** From 0. */
    public int part() {
        return ASSEMBLY - 1 - slice;
    }
}
