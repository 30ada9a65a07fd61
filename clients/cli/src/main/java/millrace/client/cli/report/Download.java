package millrace.client.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.MillraceException;
import io.millrace.client.MillraceException.DownloadException;
import io.millrace.client.MillraceException.ServiceException;
import io.millrace.client.Report;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Progress;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** Downloads the file of a report with the client library, replaces a link that has expired, and shows the progress. */
final class Download {
    private static final int MOST_NEW_LINKS = 3;
    /** Statuses of a link that may have expired. */
    private static final Set<Integer> EXPIRED = Set.of(403, 404, 410);

    private final Api api;
    private final Progress progress;
    private long done;
    private long size;

    Download(Api api, Progress progress) {
        this.api = api;
        this.progress = progress;
    }

    /** The name that the service gives the file. */
    String name(JsonNode status) throws CliException {
        try {
            return OutputFile.name(report(status).fileName(), Json.text(status, "report_id"));
        } catch (MillraceException e) {
            throw failed(e);
        }
    }

    /**
     * Completes a part.
     *
     * @param status of a complete report
     * @throws CliException if there is no file any more, or it is not the one that the status describes
     */
    void to(JsonNode status, PartFile part) throws CliException, InterruptedException {
        to(status, part, report -> report.resume(part.channel(), this::show));
    }

    /** Writes to a stream, of which nothing can be taken back. */
    void to(JsonNode status, StreamOutput out) throws CliException, InterruptedException {
        to(status, null, report -> report.copyTo(out, this::show));
    }

    /** @param part that a second attempt completes; null: what is written is gone */
    private void to(JsonNode known, @Nullable PartFile part, Consumer<Report> writer)
            throws CliException, InterruptedException {
        JsonNode status = known;
        boolean again = false;
        int newLinks = 0;
        while (true) {
            try {
                writer.accept(report(status));
                return;
            } catch (UncheckedIOException e) {
                String where = part == null ? "" : part + " cannot be written: ";
                throw new CliException(ExitCodes.LOCAL, where + Failures.reason(Objects.requireNonNull(e.getCause())));
            } catch (DownloadException e) {
                if (again || (part == null && done > 0)) {
                    throw altered(status);
                }
                again = true;
                progress.say("what has come is not the report's file; downloading it again");
            } catch (MillraceException e) {
                boolean expired = e instanceof ServiceException refused && EXPIRED.contains(refused.status());
                if (!expired || (part == null && done > 0) || ++newLinks > MOST_NEW_LINKS) {
                    throw failed(e);
                }
                // The status has a new link.
                status = withNewLink(status);
            }
        }
    }

    private JsonNode withNewLink(JsonNode status) throws CliException, InterruptedException {
        String report = Json.text(status, "report_id");
        if (!status.has("part")) {
            return api.get(Target.batch("request-status", report)).body();
        }
        String name = Json.text(status, "name");
        return PartList.listed(api, report).stream()
                .filter(file -> Json.text(file, "name").equals(name))
                .findFirst()
                .orElse(status);
    }

    private Report report(JsonNode status) throws CliException {
        String id = Json.text(status, "report_id");
        String link = Json.text(status, "download_url");
        if (link.isEmpty()) {
            throw new CliException(
                    ExitCodes.REFUSED,
                    "the file of report " + id + " is not kept any more, since " + Words.time(status.path("expires_at"))
                            + " UTC; ask for the report again");
        }
        size = status.path("file_size").asLong();
        return api.client(this::failure)
                .download(Map.of(
                        "report_id",
                        id,
                        "status",
                        "complete",
                        "download_url",
                        link,
                        "file_size",
                        size,
                        "sha256",
                        Json.text(status, "sha256")));
    }

    private void show(long now) {
        done = now;
        progress.show("download", (double) done / size, Words.size(done) + " of " + Words.size(size));
    }

    private static CliException altered(JsonNode status) {
        return new CliException(
                ExitCodes.ALTERED,
                "what has come is not the file of report " + Json.text(status, "report_id") + ": its SHA-256 should be "
                        + Json.text(status, "sha256")
                        + "\nsomething between here and the service alters it; nothing was kept");
    }

    private CliException failed(MillraceException e) {
        return e instanceof ServiceException refused && !e.retryable()
                ? new CliException(ExitCodes.REFUSED, String.join("\n", Api.sentences(refused)))
                : new CliException(
                        ExitCodes.UNAVAILABLE,
                        failure(e) + "\nwhat has come is kept: the same download goes on from there");
    }

    private String failure(MillraceException e) {
        return e instanceof ServiceException refused
                ? "the file's server answers HTTP " + refused.status()
                : "the download stopped at " + Words.size(done) + " of " + Words.size(size) + ": " + Api.reason(e);
    }
}
