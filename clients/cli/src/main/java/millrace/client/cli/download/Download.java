package millrace.client.cli.download;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Http;
import millrace.client.cli.api.RetryAfter;
import millrace.client.cli.api.RetryDelay;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Progress;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/**
 * Downloads the file of a report. A connection that ends is opened again where it ended, an expired
 * link is replaced, and what has come is compared with the checksum of the report's status.
 */
public final class Download {
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final int BUFFER = 1 << 16;
    private static final int MOST_REDIRECTS = 5;
    private static final int MOST_NEW_LINKS = 3;
    private static final int MOST_ERROR_BYTES = 1 << 16;

    private final Api api;
    private final Http http;
    private final RetryDelay retryDelay;
    private final Progress progress;

    public Download(Api api, Http http, RetryDelay retryDelay, Progress progress) {
        this.api = api;
        this.http = http;
        this.retryDelay = retryDelay;
        this.progress = progress;
    }

    /** Takes the bytes of a file in their order. */
    public interface Sink {
        /** How many there are. */
        long position();

        void write(byte[] bytes, int n) throws CliException;

        /** Forgets all of them. @return false where that is not possible */
        boolean restart() throws CliException;

        /** Of all bytes; the last call. */
        String sha256();
    }

    /** The name that the service gives the file. */
    public String name(JsonNode status) throws CliException, InterruptedException {
        String report = Json.text(status, "report_id");
        while (true) {
            String failure;
            try (Http.Response response = follow("HEAD", link(status), Map.of())) {
                if (response.status() < 500) {
                    return OutputFile.name(response.header("Content-Disposition"), report);
                }
                failure = "HTTP " + response.status();
            } catch (IOException e) {
                failure = Failures.reason(e);
            }
            wait(failure, null);
        }
    }

    /**
     * @param status of a complete report
     * @throws CliException where the file cannot be had, or is not the one that the status tells of
     */
    public void to(JsonNode status, Sink sink) throws CliException, InterruptedException {
        long size = status.path("file_size").asLong();
        transfer(status, size, sink);
        String sha256 = sink.position() == size ? sink.sha256() : "";
        if (sha256.equals(Json.text(status, "sha256"))) {
            return;
        }
        if (!sink.restart()) {
            throw altered(status);
        }
        progress.say("what has come is not the report's file; downloading it again");
        transfer(status, size, sink);
        if (sink.position() != size || !sink.sha256().equals(Json.text(status, "sha256"))) {
            throw altered(status);
        }
    }

    private static CliException altered(JsonNode status) {
        return new CliException(
                ExitCodes.ALTERED,
                "what has come is not the file of report " + Json.text(status, "report_id") + ": its SHA-256 should be "
                        + Json.text(status, "sha256")
                        + "\nsomething between here and the service alters it; nothing was"
                        + " kept");
    }

    private void transfer(JsonNode known, long size, Sink sink) throws CliException, InterruptedException {
        JsonNode status = known;
        int newLinks = 0;
        while (sink.position() < size) {
            String failure;
            Duration asked = null;
            long before = sink.position();
            Map<String, String> headers = new HashMap<>();
            if (before > 0) {
                headers.put("Range", "bytes=" + before + "-");
            }
            try (Http.Response response = follow("GET", link(status), headers)) {
                switch (response.status()) {
                    case 200, 206 -> {
                        long begin = response.status() == 206 ? begin(response) : 0;
                        copy(response.body(), before - begin, size, sink);
                        failure =
                                "the connection ended after " + Words.size(sink.position()) + " of " + Words.size(size);
                    }
                    case 403, 404, 410 -> {
                        if (++newLinks > MOST_NEW_LINKS) {
                            throw refused(response);
                        }
                        // The link may have expired meanwhile: the status has a new one.
                        status = api.get(Target.batch("request-status", Json.text(status, "report_id")))
                                .body();
                        continue;
                    }
                    case 416 -> {
                        if (!sink.restart()) {
                            throw refused(response);
                        }
                        continue;
                    }
                    default -> {
                        if (response.status() != 429 && response.status() < 500) {
                            throw refused(response);
                        }
                        failure = "the file's server answers HTTP " + response.status();
                        asked = RetryAfter.of(response.header("Retry-After"), Instant.now());
                    }
                }
            } catch (IOException e) {
                failure = "the download stopped at " + Words.size(sink.position()) + " of " + Words.size(size) + ": "
                        + Failures.reason(e);
            }
            if (sink.position() > before) {
                retryDelay.worked();
            }
            if (sink.position() < size) {
                wait(failure, asked);
            }
        }
    }

    /** @param skip bytes at the begin that are there already */
    private void copy(InputStream body, long skip, long size, Sink sink) throws IOException, CliException {
        if (skip < 0) {
            throw new IOException("the server has sent another range than was asked for");
        }
        body.skipNBytes(skip);
        byte[] buffer = new byte[BUFFER];
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            // More than the file has is none of it.
            sink.write(buffer, (int) Math.min(n, size - sink.position()));
            progress.show(
                    "download",
                    (double) sink.position() / size,
                    Words.size(sink.position()) + " of " + Words.size(size));
            if (sink.position() >= size) {
                return;
            }
        }
    }

    /** The first byte of a range. */
    private static long begin(Http.Response response) throws IOException {
        String range = String.valueOf(response.header("Content-Range"));
        if (!range.matches("bytes [0-9]{1,18}-.*")) {
            throw new IOException("the server has sent a range without saying which");
        }
        return Long.parseLong(range.substring("bytes ".length(), range.indexOf('-')));
    }

    private void wait(String failure, @Nullable Duration asked) throws CliException, InterruptedException {
        if (!retryDelay.pause(failure, asked)) {
            throw new CliException(
                    ExitCodes.UNAVAILABLE, failure + "\nwhat has come is kept: the same download goes on from there");
        }
    }

    private static String link(JsonNode status) throws CliException {
        String link = Json.text(status, "download_url");
        if (link.isEmpty()) {
            throw new CliException(
                    ExitCodes.REFUSED,
                    "the file of report " + Json.text(status, "report_id") + " is not kept any more, since "
                            + Words.time(status.path("expires_at")) + " UTC; ask for the report again");
        }
        return link;
    }

    /** The file may be in a storage of its own. The key goes to neither. */
    private Http.Response follow(String method, String link, Map<String, String> headers) throws IOException {
        URI uri = URI.create(link);
        for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
            Http.Response response = http.send(method, uri, headers, null, SILENCE);
            String location = response.header("Location");
            if (response.status() < 300 || response.status() > 399 || location == null) {
                return response;
            }
            response.close();
            URI next = uri.resolve(location);
            boolean web = "https".equalsIgnoreCase(next.getScheme())
                    || ("http".equalsIgnoreCase(next.getScheme()) && "http".equalsIgnoreCase(uri.getScheme()));
            if (!web) {
                throw new IOException("the server leads to " + next + ", which is not safe to follow");
            }
            uri = next;
        }
        throw new IOException("the server leads in circles");
    }

    private static CliException refused(Http.Response response) throws IOException {
        String text = new String(response.body().readNBytes(MOST_ERROR_BYTES), StandardCharsets.UTF_8);
        return new CliException(ExitCodes.REFUSED, String.join("\n", Api.sentences(response, text)));
    }
}
