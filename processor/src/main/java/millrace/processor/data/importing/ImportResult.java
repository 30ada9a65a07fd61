package millrace.processor.data.importing;

import java.util.List;
import java.util.Optional;

/** The result of an import. */
sealed interface ImportResult {
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

    /** A dry run found the files valid; nothing was changed. */
    record Checked(long read, List<String> missing) implements ImportResult {}

    /** The files have problems; nothing was changed. */
    record Refused(long count, List<String> problems) implements ImportResult {}
}
