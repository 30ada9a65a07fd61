package millrace.gateway.api.downloads;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.types.files.StreamedFile;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.files.BlockInputStream;
import millrace.files.store.ReportStore;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers with a report's file, whole or a range of it, streamed from the store or as a redirect to
 * it. A file never changes, so its SHA-256 is the entity tag.
 */
@Singleton
final class FileResponses {
    private static final Logger LOG = LoggerFactory.getLogger(FileResponses.class);
    /**
     * How long a link to the storage itself is valid. A download that has begun may take longer.
     */
    private static final Duration DIRECT = Duration.ofMinutes(15);

    private static final Pattern COMMA = Pattern.compile(",");

    private final ReportStore store;

    FileResponses(ReportStore store) {
        this.store = store;
    }

    /** @param report a complete one; answers 410 where its file has been deleted */
    HttpResponse<?> answer(HttpRequest<?> http, ReportStatus report, Download download) throws IOException {
        StoredFile file = download.file();
        String tag = "\"" + file.sha256() + "\"";
        boolean wanted = isWanted(http.getHeaders(), tag, report.updatedAt());
        if (wanted && names(http.getHeaders().getAll(HttpHeaders.IF_NONE_MATCH), tag, true)) {
            return HttpResponse.notModified().header(HttpHeaders.ETAG, tag);
        }
        try {
            if (!store.exists(file.name())) {
                return JsonResponses.fileGone();
            }
            if (!wanted) {
                return JsonResponses.problem(
                                ProblemCode.PRECONDITION_FAILED,
                                "The file is not the one that If-Match or If-Unmodified-Since names.")
                        .header(HttpHeaders.ETAG, tag);
            }
        } catch (UncheckedIOException e) {
            LOG.warn("report store unavailable file={} error={}", file.name(), e.getMessage());
            return JsonResponses.retryAfter(
                    JsonResponses.problem(
                            ProblemCode.STORAGE_UNAVAILABLE, "The report files cannot be reached at the moment."),
                    Duration.ofSeconds(5));
        }
        if (http.getMethod() == HttpMethod.HEAD) {
            return described(HttpResponse.ok().contentLength(file.size()), download, tag);
        }
        Optional<URI> direct = download.content() == null
                ? store.directLink(file.name(), download.mediaType(), download.disposition(), DIRECT)
                : Optional.empty();
        if (direct.isPresent()) {
            return HttpResponse.status(HttpStatus.FOUND)
                    .header(HttpHeaders.LOCATION, direct.get().toString())
                    .header(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        return streamed(http, report, download, tag);
    }

    private HttpResponse<?> streamed(HttpRequest<?> http, ReportStatus report, Download download, String tag)
            throws IOException {
        StoredFile file = download.file();
        String ifRange = http.getHeaders().get(HttpHeaders.IF_RANGE);
        ByteRange range = ifRange == null || ifRange.strip().equals(tag)
                ? ByteRange.parse(http.getHeaders().get(HttpHeaders.RANGE), file.size())
                : new ByteRange.Whole();
        return switch (range) {
            case ByteRange.Outside() ->
                JsonResponses.problem(
                                ProblemCode.RANGE_NOT_SATISFIABLE, "Range: the file has " + file.size() + " bytes.")
                        .header(HttpHeaders.CONTENT_RANGE, "bytes */" + file.size());
            case ByteRange.Whole() ->
                described(
                        HttpResponse.ok(stream(report, download, new ByteRange.Part(0, file.size() - 1))),
                        download,
                        tag);
            case ByteRange.Part part ->
                described(HttpResponse.ok(stream(report, download, part)), download, tag)
                        .status(HttpStatus.PARTIAL_CONTENT)
                        .header(
                                HttpHeaders.CONTENT_RANGE,
                                "bytes " + part.first() + "-" + part.last() + "/" + file.size());
        };
    }

    private StreamedFile stream(ReportStatus report, Download download, ByteRange.Part part) throws IOException {
        return new StreamedFile(
                bytes(download, part), download.type(), report.updatedAt().toEpochMilli(), part.length());
    }

    private InputStream bytes(Download download, ByteRange.Part part) throws IOException {
        ByteBuffer content = download.content();
        if (content != null) {
            byte[] bytes = new byte[Math.toIntExact(part.length())];
            content.get(Math.toIntExact(part.first()), bytes);
            return new ByteArrayInputStream(bytes);
        }
        SeekableByteChannel channel = store.open(download.file().name()).position(part.first());
        return new FileRangeStream(channel, part.length());
    }

    private static MutableHttpResponse<?> described(MutableHttpResponse<?> response, Download download, String tag) {
        return response.contentType(download.type())
                .header(HttpHeaders.ETAG, tag)
                .header(HttpHeaders.ACCEPT_RANGES, "bytes")
                .header(HttpHeaders.CONTENT_DISPOSITION, download.disposition());
    }

    /** Whether the file is the one that the client goes on with (RFC 9110, section 13.2.2). */
    private static boolean isWanted(HttpHeaders headers, String tag, Instant lastModified) {
        List<String> tags = headers.getAll(HttpHeaders.IF_MATCH);
        if (!tags.isEmpty()) {
            return names(tags, tag, false);
        }
        ZonedDateTime since = headers.getDate(HttpHeaders.IF_UNMODIFIED_SINCE);
        return since == null || !lastModified.truncatedTo(ChronoUnit.SECONDS).isAfter(since.toInstant());
    }

    /** @param weakly whether a weak tag names the file, too */
    private static boolean names(List<String> headers, String tag, boolean weakly) {
        return headers.stream()
                .flatMap(COMMA::splitAsStream)
                .map(String::strip)
                .anyMatch(t -> t.equals("*") || t.equals(tag) || (weakly && t.equals("W/" + tag)));
    }

    /**
     * Reads a number of bytes from the current position of a channel. Closing it closes the channel.
     */
    private static final class FileRangeStream extends BlockInputStream {
        private final InputStream file;
        private long remaining;

        FileRangeStream(SeekableByteChannel channel, long length) {
            this.file = Channels.newInputStream(channel);
            this.remaining = length;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (remaining <= 0) {
                return -1;
            }
            int n = file.read(bytes, offset, (int) Math.min(length, remaining));
            remaining -= Math.max(n, 0);
            return n;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
