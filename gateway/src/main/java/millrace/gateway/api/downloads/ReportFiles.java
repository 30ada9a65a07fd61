package millrace.gateway.api.downloads;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse.PartResponse;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import millrace.gateway.api.status.DownloadLinks;
import org.jspecify.annotations.Nullable;

/**
 * Knows the files of a complete report: the one that it has, or its parts. If they are more than a status has, their
 * manifest is read from the store.
 */
@Singleton
final class ReportFiles {
    private final StoredManifests manifests;
    private final DownloadLinks links;

    ReportFiles(StoredManifests manifests, DownloadLinks links) {
        this.manifests = manifests;
        this.links = links;
    }

    /** The manifest as clients see it, with links. */
    private record ServedManifest(
            UUID reportId,
            String dataset,
            QuerySummary query,
            @Nullable String dataVersion,
            @Nullable Instant dataPublishedAt,
            @Nullable String querySha256,
            @Nullable Integer renderForm,
            long rowCount,
            int fileCount,
            long fileSize,
            Instant expiresAt,
            List<ReportManifest.Table> tables,
            List<PartResponse> files) {}

    /**
     * All files in the order of their rows. A report that is not in parts has one.
     *
     * @throws java.nio.file.NoSuchFileException if the files are deleted
     * @throws IOException if the storage cannot be reached
     */
    List<ReportPart> of(ReportStatus report, ReportStatus.Result result) throws IOException {
        Optional<List<ReportPart>> shown = inStatus(report, result);
        return shown.isPresent() ? shown.get() : manifests.read(result.file()).files();
    }

    /** The same, which may be deleted meanwhile. */
    private List<ReportPart> known(ReportStatus report, ReportStatus.Result result) throws IOException {
        Optional<List<ReportPart>> shown = inStatus(report, result);
        return shown.isPresent() ? shown.get() : manifests.known(result.file()).files();
    }

    private static Optional<List<ReportPart>> inStatus(ReportStatus report, ReportStatus.Result result) {
        ReportParts parts = result.parts();
        if (parts == null) {
            FileFormat format = FileFormat.ofName(result.file().name());
            return Optional.of(List.of(new ReportPart(
                    format.downloadName(report.dataset(), report.reportId()),
                    report.dataset(),
                    1,
                    result.counts().rows(),
                    result.file())));
        }
        return Optional.ofNullable(parts.files());
    }

    /** The first file that has rows, or the first one if none has. It may be deleted. Throws as {@link #of}. */
    StoredFile firstWithRows(ReportStatus report, ReportStatus.Result result) throws IOException {
        List<ReportPart> files = known(report, result);
        return files.stream()
                .filter(part -> part.rowCount() > 0)
                .findFirst()
                .orElse(files.getFirst())
                .file();
    }

    /**
     * The file of this name in the store, which may be deleted; empty if the report does not have it. Throws as {@link
     * #of}.
     */
    Optional<ReportPart> find(ReportStatus report, ReportStatus.Result result, String name) throws IOException {
        return known(report, result).stream()
                .filter(part -> part.file().name().equals(name))
                .findFirst();
    }

    /** A file as clients see it. */
    PartResponse shown(ReportStatus report, ReportStatus.Result result, ReportPart part) {
        String link =
                links.of(report.reportId(), part.file(), result.expiresAt()).toString();
        return PartResponse.of(part, link);
    }

    /** The manifest of a report in parts, with links of its files. Throws as {@link #of}. */
    byte[] servedManifest(ReportStatus report, ReportStatus.Result result) throws IOException {
        ReportManifest manifest = manifests.read(result.file());
        List<ReportPart> files = manifest.files();
        return Json.bytes(new ServedManifest(
                manifest.reportId(),
                manifest.dataset(),
                manifest.query(),
                manifest.dataVersion(),
                manifest.dataPublishedAt(),
                manifest.querySha256(),
                manifest.renderForm(),
                manifest.rowCount(),
                files.size(),
                files.stream().mapToLong(part -> part.file().size()).sum(),
                result.expiresAt(),
                manifest.tables(),
                files.stream().map(part -> shown(report, result, part)).toList()));
    }
}
