package millrace.gateway.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.types.files.StreamedFile;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import java.util.regex.Pattern;
import millrace.contracts.FileFormat;
import millrace.contracts.PartFile;
import millrace.contracts.ReportStatus;
import millrace.files.ReportStore;
import org.jspecify.annotations.Nullable;

/** A report's file, whole or in part, streamed from the store. A file never changes, so its hash is its entity tag. */
@Singleton
final class FileAnswers {
    private static final Pattern COMMA = Pattern.compile(",");

    private final ReportStore store;

    FileAnswers(ReportStore store) {
        this.store = store;
    }

    /** @param report a complete one */
    HttpResponse<?> answer(HttpRequest<?> http, ReportStatus report) throws IOException {
        ReportStatus.Result result = report.result();
        if (result == null) {
            return gone();
        }
        PartFile file = result.file();
        String tag = "\"" + file.sha256() + "\"";
        if (matches(http.getHeaders().get(HttpHeaders.IF_NONE_MATCH), tag)) {
            return HttpResponse.notModified().header(HttpHeaders.ETAG, tag);
        }
        if (!store.exists(file.name())) {
            return gone();
        }
        if (http.getMethod() == HttpMethod.HEAD) {
            return described(HttpResponse.ok().contentLength(file.size()), report, tag);
        }
        String ifRange = http.getHeaders().get(HttpHeaders.IF_RANGE);
        ByteRange range = ifRange == null || ifRange.strip().equals(tag)
                ? ByteRange.parse(http.getHeaders().get(HttpHeaders.RANGE), file.size())
                : new ByteRange.Whole();
        return switch (range) {
            case ByteRange.Outside() ->
                Answers.problem(
                                HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
                                "Range: the file has " + file.size() + " bytes.")
                        .header(HttpHeaders.CONTENT_RANGE, "bytes */" + file.size());
            case ByteRange.Whole() ->
                described(HttpResponse.ok(stream(report, file, new ByteRange.Part(0, file.size() - 1))), report, tag);
            case ByteRange.Part part ->
                described(HttpResponse.ok(stream(report, file, part)), report, tag)
                        .status(HttpStatus.PARTIAL_CONTENT)
                        .header(
                                HttpHeaders.CONTENT_RANGE,
                                "bytes " + part.first() + "-" + part.last() + "/" + file.size());
        };
    }

    static MutableHttpResponse<byte[]> gone() {
        return Answers.problem(HttpStatus.GONE, "The file is no longer there.");
    }

    private StreamedFile stream(ReportStatus report, PartFile file, ByteRange.Part part) throws IOException {
        SeekableByteChannel channel = store.open(file.name()).position(part.first());
        return new StreamedFile(
                new FilePart(channel, part.length()),
                type(file),
                report.updatedAt().toEpochMilli(),
                part.length());
    }

    private static MutableHttpResponse<?> described(MutableHttpResponse<?> response, ReportStatus report, String tag) {
        PartFile file = Objects.requireNonNull(report.result()).file();
        return response.contentType(type(file))
                .header(HttpHeaders.ETAG, tag)
                .header(HttpHeaders.ACCEPT_RANGES, "bytes")
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        "attachment; filename=\""
                                + FileFormat.ofName(file.name()).downloadName(report.dataset(), report.reportId())
                                + "\"");
    }

    private static MediaType type(PartFile file) {
        return MediaType.of(FileFormat.ofName(file.name()).mediaType());
    }

    private static boolean matches(@Nullable String header, String tag) {
        if (header == null) {
            return false;
        }
        return COMMA.splitAsStream(header)
                .map(String::strip)
                .anyMatch(t -> t.equals("*") || t.equals(tag) || t.equals("W/" + tag));
    }
}
