package millrace.files;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.files.disk.DiskReportStore;
import millrace.files.s3.S3Bucket;
import millrace.files.s3.S3Clients;
import millrace.files.s3.S3ReportStore;
import millrace.files.s3.S3Settings;
import millrace.files.store.ReportStore;

/** Opens the report store that a setting names. */
public final class ReportStoreFactory {
    private static final Pattern S3 = Pattern.compile("s3://([a-z0-9][a-z0-9.-]+)(?:/([A-Za-z0-9._/-]*))?");

    private ReportStoreFactory() {}

    /** The folder of the setting; empty for a bucket. */
    public static Optional<Path> folder(String reports) {
        return reports.startsWith("s3:") ? Optional.empty() : Optional.of(Path.of(reports));
    }

    /**
     * @param reports a folder, or {@code s3://bucket/prefix}
     * @param fsync whether files in a folder are forced to disk
     * @throws IOException where the store cannot be written to; its message is one line
     */
    public static ReportStore open(String reports, boolean fsync, S3Settings settings) throws IOException {
        Optional<Path> folder = folder(reports);
        if (folder.isPresent()) {
            return new DiskReportStore(folder.get(), fsync);
        }
        Matcher address = S3.matcher(reports);
        if (!address.matches()) {
            throw new IOException("report store " + reports + " is not of the form s3://bucket/prefix");
        }
        String prefix = address.group(2) == null ? "" : address.group(2).replaceAll("^/+|/+$", "");
        var clients = S3Clients.open(settings);
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
