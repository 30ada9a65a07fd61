package millrace.contracts.commands;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityRange;
import millrace.contracts.requests.ReportQuery;
import org.jspecify.annotations.Nullable;

/** A task of the render workers. They answer with a command of the account. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RenderTask.RenderSlice.class, name = "render_slice"),
    @JsonSubTypes.Type(value = RenderTask.Assemble.class, name = "assemble"),
    @JsonSubTypes.Type(value = RenderTask.WriteManifest.class, name = "write_manifest"),
})
public sealed interface RenderTask {
    String accountId();

    SliceRef slice();

    /** Key of the record: tasks of one slice meet in one partition. */
    @JsonIgnore
    default String key() {
        return slice().reportId() + "/" + slice().slice();
    }

    /**
     * Renders a slice. Answered with {@code SliceDone} or {@code SliceFailed}.
     *
     * @param query with the slice's own entities only; without entities where there is a {@code
     *     range}
     * @param dataVersion the version of the dataset that the whole attempt reads
     * @param countsRevealed whether revealed domains must be counted
     * @param rowLimit most rows to write, which is the rest of the report's limit; null for no
     *     limit
     * @param header whether the file starts with the header line, as that of the first slice of a part does
     * @param range the slice's entities in the request's list; null where the query has them
     * @param rowsToSkip rows to leave out before the first that is written, which is the rest of the
     *     report's offset; null for none
     */
    record RenderSlice(
            String accountId,
            SliceRef slice,
            ReportQuery query,
            String dataVersion,
            boolean countsRevealed,
            @Nullable Long rowLimit,
            boolean header,
            @Nullable EntityRange range,
            @Nullable Long rowsToSkip)
            implements RenderTask {
        /** A slice whose query has its entities, and that leaves out no rows. */
        public RenderSlice(
                String accountId,
                SliceRef slice,
                ReportQuery query,
                String dataVersion,
                boolean countsRevealed,
                @Nullable Long rowLimit,
                boolean header) {
            this(accountId, slice, query, dataVersion, countsRevealed, rowLimit, header, null, null);
        }
    }

    /**
     * Puts slices together. Answered with {@code Assembled} or {@code SliceFailed}.
     *
     * @param parts in the order of the slices
     */
    record Assemble(String accountId, SliceRef slice, List<StoredFile> parts) implements RenderTask {}

    /**
     * Writes the manifest of a report in parts. Answered with {@code Assembled} or {@code SliceFailed}.
     *
     * @param query without entities
     * @param manifest without columns, which the catalog of the worker knows
     */
    record WriteManifest(String accountId, SliceRef slice, ReportQuery query, ReportManifest manifest)
            implements RenderTask {}
}
