package millrace.contracts.commands;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;

/**
 * Files of a report that are not needed any more, and never will be. Processors delete them from
 * the report store; a file that is gone already counts as deleted.
 *
 * @param files names in the report store, at most {@link #MOST_FILES}; one that ends with {@code /} stands for all files
 *     whose names begin with it
 */
public record FileDeletion(String accountId, UUID reportId, Reason reason, List<String> files) {
    /** Most files of one record. */
    public static final int MOST_FILES = 100;

    public FileDeletion {
        files = List.copyOf(files);
    }

    /** Why the files are not needed. */
    public enum Reason {
        /** The time is over for which the report could be downloaded. */
        @JsonProperty("expired")
        EXPIRED,
        /** The report is forgotten. */
        @JsonProperty("forgotten")
        FORGOTTEN,
        /** They are slices that have been put together. */
        @JsonProperty("assembled")
        ASSEMBLED,
        /** Their attempt has failed, or was cancelled. */
        @JsonProperty("failed")
        FAILED,
        /** Another answer came first, or the attempt had ended before. */
        @JsonProperty("unused")
        UNUSED
    }
}
