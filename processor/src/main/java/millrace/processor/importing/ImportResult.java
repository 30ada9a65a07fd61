package millrace.processor.importing;

import java.util.List;
import java.util.Optional;

/** How an import ended. */
public sealed interface ImportResult {
    /**
     * The new version is current.
     *
     * @param read rows of the files
     * @param rows of the version
     * @param missing metrics that none of the files has
     * @param before the version that was current
     */
    record Imported(String version, long read, long rows, List<String> missing, Optional<String> before)
            implements ImportResult {}

    /** The files are right; nothing was changed, as was asked. */
    record Checked(long read, List<String> missing) implements ImportResult {}

    /** The files are not right; nothing was changed. */
    record Refused(long count, List<String> problems) implements ImportResult {}
}
