package millrace.files;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.files.disk.DiskReportStore;
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
                first = true,
                doc = "folder of the report files, or s3://bucket/prefix")
        String reports,

        S3Settings s3,

        @Setting(
                value = "false",
                formerly = {"gateway.fsync", "processor.fsync"},
                doc =
                        "whether files are forced to disk: a report's before it counts, a request's list before it is accepted")
        boolean fsync,

        @Setting(
                value = "data/link-secret",
                formerly = {"gateway.link-secret", "processor.link-secret"},
                doc = "file with the secret that signs download links; made if it is missing")
        Path linkSecret,

        @Setting(
                formerly = {"gateway.catalog", "processor.catalog"},
                doc = "folder with declarations of further datasets")
        @Nullable
        Path catalog) {
    private static final Pattern BUCKET = Pattern.compile("s3://([a-z0-9][a-z0-9.-]+)(?:/([A-Za-z0-9._/-]*))?");

    /** The folder of the report files; empty for a bucket. */
    public Optional<Path> folder() {
        return reports.startsWith("s3:") ? Optional.empty() : Optional.of(Path.of(reports));
    }

    /**
     * Opens the report store.
     *
     * @throws IOException if it cannot be written to; its message is one line
     */
    public ReportStore open() throws IOException {
        Optional<Path> folder = folder();
        if (folder.isPresent()) {
            return new DiskReportStore(folder.get(), fsync);
        }
        Matcher address = BUCKET.matcher(reports);
        if (!address.matches()) {
            throw new IOException("report store " + reports + " is not of the form s3://bucket/prefix");
        }
        String prefix = address.group(2) == null ? "" : address.group(2).replaceAll("^/+|/+$", "");
        var clients = S3Clients.open(s3);
        try {
            var store =
                    new S3ReportStore(new S3Bucket(clients, address.group(1)), prefix.isEmpty() ? "" : prefix + "/");
            store.check(URI.create(reports));
            return store;
        } catch (IOException e) {
            clients.close();
            throw e;
        }
    }
}
