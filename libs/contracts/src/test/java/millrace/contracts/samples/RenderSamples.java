package millrace.contracts.samples;

import static millrace.contracts.samples.SampleValues.ACCOUNT;
import static millrace.contracts.samples.SampleValues.COMPRESSED;
import static millrace.contracts.samples.SampleValues.HASH;
import static millrace.contracts.samples.SampleValues.LIST;
import static millrace.contracts.samples.SampleValues.PART;
import static millrace.contracts.samples.SampleValues.QUERY;
import static millrace.contracts.samples.SampleValues.REPORT;
import static millrace.contracts.samples.SampleValues.SPLIT;
import static millrace.contracts.samples.SampleValues.at;
import static millrace.contracts.samples.SampleValues.query;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.RenderTask.Assemble;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.commands.RenderTask.WriteManifest;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/** Work of the render workers, and files to delete. */
final class RenderSamples {
    static final List<MessageSample<?>> ALL = List.of(
            new MessageSample<>(
                    Topics.SMALL_REPORTS,
                    "render_slice",
                    new RenderSlice(ACCOUNT, new SliceRef(REPORT, 1, 0, 1), QUERY, "2026-11-01", false, null, true)),
            new MessageSample<>(
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
            new MessageSample<>(
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
                            LIST.range(EntityList.fileName(ACCOUNT, REPORT), 3, 5),
                            null)),
            new MessageSample<>(
                    Topics.SLICES,
                    "render_slice-with-an-offset",
                    new RenderSlice(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, 1, 1),
                            QUERY.withOffset(200),
                            "2026-11-01",
                            false,
                            null,
                            false,
                            null,
                            148L)),
            compressed(Topics.SMALL_REPORTS),
            compressed(Topics.SLICES),
            filtered(Topics.SMALL_REPORTS),
            filtered(Topics.SLICES),
            new MessageSample<>(
                    Topics.SLICES,
                    "assemble",
                    new Assemble(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, SliceRef.ASSEMBLY, 1),
                            List.of(PART, new StoredFile(REPORT + "/1/1-1", 1234, HASH)))),
            new MessageSample<>(
                    Topics.SLICES,
                    "render_slice-of-a-part",
                    new RenderSlice(ACCOUNT, new SliceRef(REPORT, 1, 1, 1), SPLIT, "2026-11-01", false, null, true)),
            new MessageSample<>(
                    Topics.SLICES,
                    "assemble-a-part",
                    new Assemble(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, SliceRef.ofPart(1), 1),
                            List.of(PART, new StoredFile(REPORT + "/1/1-1", 1234, HASH)))),
            new MessageSample<>(
                    Topics.SLICES,
                    "write_manifest",
                    new WriteManifest(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, SliceRef.ASSEMBLY, 1),
                            SPLIT.withEntities(List.of()),
                            manifest("2026-11-01", at("06:15:31.000"), QueryHash.of(SPLIT), 1))),
            new MessageSample<>(
                    Topics.SLICES,
                    "write_manifest-without-what-it-is-made-from",
                    new WriteManifest(
                            ACCOUNT,
                            new SliceRef(REPORT, 1, SliceRef.ASSEMBLY, 1),
                            SPLIT.withEntities(List.of()),
                            manifest(null, null, null, null))),
            deletion(FileDeletion.Reason.EXPIRED, PART.name()),
            deletion(FileDeletion.Reason.FORGOTTEN, EntityList.fileName(ACCOUNT, REPORT)),
            deletion(FileDeletion.Reason.ASSEMBLED, PART.name(), REPORT + "/1/1-1"),
            deletion(FileDeletion.Reason.FAILED, PART.name()),
            deletion(FileDeletion.Reason.UNUSED, PART.name()));

    private RenderSamples() {}

    private static ReportManifest manifest(
            @Nullable String version,
            @Nullable Instant publishedAt,
            @Nullable String querySha256,
            @Nullable Integer renderForm) {
        return new ReportManifest(
                REPORT,
                "demographics",
                QuerySummary.of(SPLIT),
                version,
                publishedAt,
                querySha256,
                renderForm,
                52,
                List.of(new ReportManifest.Table(
                        "demographics",
                        "demographics",
                        List.of(
                                new ReportManifest.Column("domain", "text", null),
                                new ReportManifest.Column("demographics_share", "double", "fraction")))),
                SampleValues.PARTS);
    }

    private static MessageSample<?> deletion(FileDeletion.Reason reason, String... files) {
        return new MessageSample<>(
                Topics.FILE_DELETIONS,
                reason.name().toLowerCase(Locale.ROOT),
                new FileDeletion(ACCOUNT, REPORT, reason, List.of(files)));
    }

    private static MessageSample<?> filtered(Topic<RenderTask> topic) {
        return new MessageSample<>(
                topic,
                "render_slice-of-a-long-filter",
                new RenderSlice(
                        ACCOUNT,
                        new SliceRef(REPORT, 1, 0, 1),
                        SampleValues.FILTERED,
                        "2026-11-01",
                        false,
                        500L,
                        true));
    }

    private static MessageSample<?> compressed(Topic<RenderTask> topic) {
        return new MessageSample<>(
                topic,
                "render_slice-compressed",
                new RenderSlice(ACCOUNT, new SliceRef(REPORT, 1, 0, 1), COMPRESSED, "2026-11-01", false, null, true));
    }
}
