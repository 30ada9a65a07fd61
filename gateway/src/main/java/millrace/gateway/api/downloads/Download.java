package millrace.gateway.api.downloads;

import io.micronaut.http.MediaType;
import java.nio.ByteBuffer;
import millrace.contracts.Hashes;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is downloaded.
 *
 * @param file the bytes that the client gets; where it is in the store
 * @param saveAs the name that clients save it by
 * @param content its bytes if they are made for the client, and are not those in the store; else null
 */
record Download(
        StoredFile file,
        String saveAs,
        String mediaType,
        @Nullable ByteBuffer content) {

    static Download of(ReportPart part) {
        String mediaType = FileFormat.ofName(part.file().name()).mediaType();
        return new Download(part.file(), part.name(), mediaType, null);
    }

    /** @param name of the stored manifest */
    static Download ofManifest(ReportStatus report, String name, byte[] content) {
        return new Download(
                new StoredFile(name, content.length, Hashes.sha256(content)),
                report.dataset() + "-" + report.reportId() + "-manifest.json",
                MediaType.APPLICATION_JSON,
                ByteBuffer.wrap(content).asReadOnlyBuffer());
    }

    String disposition() {
        return "attachment; filename=\"" + saveAs + "\"";
    }

    MediaType type() {
        return MediaType.of(mediaType);
    }
}
