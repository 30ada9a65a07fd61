package millrace.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import millrace.files.s3.S3Settings;
import millrace.files.store.ReportStore;
import millrace.runtime.settings.Setting;
import millrace.runtime.settings.SharedSection;
import org.jspecify.annotations.Nullable;

/** Settings of what gateways and processors share: report files, the links to them, and the catalog. */
@SharedSection("storage")
public record StorageSettings(
        @Setting(
                value = "data/reports",
                formerly = {"gateway.reports", "processor.reports"},
                doc = "folder of the report files, or s3://bucket/prefix")
        String reports,

        S3Settings s3,

        @Setting(
                value = "false",
                formerly = {"gateway.fsync", "processor.fsync"},
                doc = "whether files are forced to disk: a report's before it counts, a request's list before it is accepted")
        boolean fsync,

        @Setting(
                value = "data/link-secret",
                formerly = {"gateway.link-secret", "processor.link-secret"},
                doc = "file with the secret that signs download links; made where missing")
        Path linkSecret,

        @Setting(
                formerly = {"gateway.catalog", "processor.catalog"},
                doc = "folder with declarations of further datasets")
        @Nullable
        Path catalog) {

    /** The folder of the report files; empty for a bucket. */
    public Optional<Path> folder() {
        return ReportStoreFactory.folder(reports);
    }

    /** @throws IOException if the store cannot be written to; its message is one line */
    public ReportStore open() throws IOException {
        return ReportStoreFactory.open(reports, fsync, s3);
    }
}
