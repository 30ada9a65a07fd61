package millrace.contracts;

import static millrace.contracts.Story.ACCOUNT;
import static millrace.contracts.Story.COMPRESSED;
import static millrace.contracts.Story.HASH;
import static millrace.contracts.Story.LIST;
import static millrace.contracts.Story.PART;
import static millrace.contracts.Story.QUERY;
import static millrace.contracts.Story.REPORT;
import static millrace.contracts.Story.query;

import java.util.List;
import millrace.contracts.RenderTask.Assemble;
import millrace.contracts.RenderTask.RenderSlice;

/** Work of the render workers. */
final class RenderSamples {
    static final List<Sample<?>> ALL = List.of(
            new Sample<>(
                    Topics.SMALL_REPORTS,
                    "render_slice",
                    new RenderSlice(ACCOUNT, new SliceRef(REPORT, 1, 0, 1), QUERY, "2026-11-01", false, null, true)),
            new Sample<>(
                    Topics.SLICES,
                    "render_slice-with-limit",
                    new RenderSlice(
                            ACCOUNT,
                            new SliceRef(REPORT, 2, 7, 3),
                            query(
                                    "site_keywords",
                                    "desktop_keywords_total_visits",
                                    Granularity.WEEKLY,
                                    "2026-10-05",
                                    "2026-10-26",
                                    500),
                            "2026-11-01",
                            true,
                            120L,
                            false)),
            new Sample<>(
                    Topics.SLICES,
                    "render_slice-of-a-list",
                    new RenderSlice(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, 1, 1),
                            QUERY.withEntities(List.of()),
                            "2026-11-01",
                            false,
                            null,
                            false,
                            LIST.range(EntityList.fileName(ACCOUNT, REPORT), 3, 5))),
            compressed(Topics.SMALL_REPORTS),
            compressed(Topics.SLICES),
            filtered(Topics.SMALL_REPORTS),
            filtered(Topics.SLICES),
            new Sample<>(
                    Topics.SLICES,
                    "assemble",
                    new Assemble(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, SliceRef.ASSEMBLY, 1),
                            List.of(PART, new PartFile(REPORT + "/1/1-1", 1234, HASH)))));

    private RenderSamples() {}

    private static Sample<?> filtered(Topic<RenderTask> topic) {
        return new Sample<>(
                topic,
                "render_slice-of-a-long-filter",
                new RenderSlice(
                        ACCOUNT, new SliceRef(REPORT, 1, 0, 1), Story.FILTERED, "2026-11-01", false, 500L, true));
    }

    private static Sample<?> compressed(Topic<RenderTask> topic) {
        return new Sample<>(
                topic,
                "render_slice-compressed",
                new RenderSlice(ACCOUNT, new SliceRef(REPORT, 1, 0, 1), COMPRESSED, "2026-11-01", false, null, true));
    }
}
