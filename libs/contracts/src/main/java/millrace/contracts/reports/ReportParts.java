package millrace.contracts.reports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a report in parts.
 *
 * @param count number of files, at least 2
 * @param size of all of them, bytes
 * @param files null if they are more than {@link #SHOWN}; the manifest has all of them
 */
public record ReportParts(int count, long size, @Nullable List<ReportPart> files) {
    /** Most files that a status has. */
    public static final int SHOWN = 20;

    public ReportParts {
        files = files == null ? null : List.copyOf(files);
    }

    public static ReportParts of(List<ReportPart> files) {
        long size = files.stream().mapToLong(part -> part.file().size()).sum();
        return new ReportParts(files.size(), size, files.size() <= SHOWN ? files : null);
    }
}
