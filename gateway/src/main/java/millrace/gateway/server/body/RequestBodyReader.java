package millrace.gateway.server.body;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.settings.GatewaySettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads JSON bodies, sent as they are or as the part of a form, within {@linkplain BodyMemory
 * bounds of memory}: a quarter of the heap for all bodies, half of that for those of one account.
 * Long bodies are checked in {@linkplain CpuTurns turns}.
 */
@Singleton
public final class RequestBodyReader {
    private static final Logger LOG = LoggerFactory.getLogger(RequestBodyReader.class);
    private static final int SMALL = 1 << 20;
    /** Checking a body of this size takes a millisecond, so it needs no thread of its own. */
    private static final int SHORT = 64 << 10;

    private static final int SHARE_OF_HEAP = 4;
    private static final long MOST_DISCARDED = 8L << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final int limit;
    private final BodyMemory memory;
    /** All cores but one, so that long bodies never take all of them from short ones. */
    private final CpuTurns turns = new CpuTurns(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));

    RequestBodyReader(GatewaySettings settings) {
        this.limit = settings.maxBodyBytes();
        this.memory = new BodyMemory(
                Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, limit, settings.maxEntities(), TIMEOUT);
    }

    /** Works with a body. Blocks. */
    @FunctionalInterface
    public interface Work<T> {
        T with(IncomingBody body) throws IOException;
    }

    /** Reads JSON. The stream may end with an exception. */
    @FunctionalInterface
    public interface JsonReader<T> {
        /**
         * Reads and acts on nothing, since the body may break off behind it. Of a long body it has the turn whenever it is
         * not reading, so it waits for nothing but the stream.
         */
        T read(InputStream json) throws IOException;
    }

    /** The body of one request, which is read once. */
    public final class IncomingBody {
        private final HttpRequest<?> request;
        private final RequestBodyStreams streams;
        private final boolean isLong;

        private IncomingBody(HttpRequest<?> request, RequestBodyStreams streams, boolean isLong) {
            this.request = request;
            this.streams = streams;
            this.isLong = isLong;
        }

        /**
         * Reads the JSON of the body while it arrives, and the body to its end.
         *
         * @throws RefusedException if the body cannot be read to its end
         */
        public <T> T read(JsonReader<T> reader) throws IOException {
            try {
                T read = isForm(request) ? readForm(reader) : readJson(streams.json(), reader);
                streams.drain();
                if (!streams.failed()) {
                    return read;
                }
            } catch (IOException e) {
                if (!streams.failed()) {
                    throw e;
                }
            } catch (BodySpool.UnusableException e) {
                LOG.warn("keeping a request in a temporary file failed error={}", String.valueOf(e.getCause()));
                throw refusal(request, streams.raw(), notKept());
            }
            throw refusal(request, streams.raw(), fault(request, streams));
        }

        private <T> T readForm(JsonReader<T> reader) throws IOException {
            String type = String.valueOf(request.getHeaders().get("Content-Type"));
            try (MultipartRequestPart part = MultipartRequestPart.read(type, streams.json())) {
                return switch (part.content()) {
                    case MultipartRequestPart.Content.Json(InputStream json) -> readJson(json, reader);
                    case MultipartRequestPart.Content.Broken(String sentence) -> {
                        streams.drain();
                        throw streams.failed()
                                ? refusal(request, streams.raw(), fault(request, streams))
                                : new RefusedException(ProblemCode.INVALID_REQUEST, sentence);
                    }
                };
            }
        }

        private <T> T readJson(InputStream json, JsonReader<T> reader) throws IOException {
            if (!isLong) {
                return reader.read(json);
            }
            try (CpuTurns.Turn turn = turns.of(ApiKeyFilter.caller(request).accountId())) {
                return reader.read(new TurnStream(json, turn));
            }
        }
    }

    /**
     * Has work done with a body, whose memory is reserved until that is done: if the body is long, in a thread of its
     * own. Blocks.
     *
     * @throws RefusedException if the body cannot be accepted
     */
    public <T> T work(HttpRequest<?> request, @Nullable InputStream body, Work<T> work) throws IOException {
        ContentCoding coding = coding(request, body);
        long length = coding == ContentCoding.IDENTITY ? request.getContentLength() : -1;
        boolean isLong = length < 0 || length > SHORT;
        try (var share = memory.share(ApiKeyFilter.caller(request).accountId());
                var streams = RequestBodyStreams.of(body, coding, limit, share)) {
            if (length > 0 && !share.holds(length)) {
                throw refusal(request, body, noMemory());
            }
            var incoming = new IncomingBody(request, streams, isLong);
            return isLong ? CpuBoundWork.run(() -> work.with(incoming)) : work.with(incoming);
        }
    }

    /**
     * Reads the first MiB of a body, and the rest of it, which does not matter. Blocks.
     *
     * @throws RefusedException if the body cannot be accepted
     */
    public byte[] text(HttpRequest<?> request, @Nullable InputStream body) throws IOException {
        return work(
                request,
                body,
                incoming -> incoming.read(json -> {
                    byte[] text = json.readNBytes(SMALL);
                    json.transferTo(OutputStream.nullOutputStream());
                    return text;
                }));
    }

    /**
     * Reads and discards a body that the route does not need. Blocks.
     *
     * @throws RefusedException if it cannot be read to its end; the route must not act on the request then
     */
    public void skip(HttpRequest<?> request, @Nullable InputStream body) {
        try (var streams = RequestBodyStreams.of(body, ContentCoding.IDENTITY, limit, null)) {
            streams.drain();
            if (streams.exceeded()) {
                throw refusal(request, body, tooLarge());
            }
        } catch (IOException e) {
            throw new RefusedException(brokenOff());
        }
    }

    private MutableHttpResponse<byte[]> fault(HttpRequest<?> request, RequestBodyStreams body) {
        if (body.exceeded()) {
            return tooLarge();
        }
        if (body.json().outOfMemory()) {
            return noMemory();
        }
        return body.sent().broken() ? brokenOff() : notDecodable(request);
    }

    /** The coding of a body that can be accepted, as far as its head says. */
    private ContentCoding coding(HttpRequest<?> request, @Nullable InputStream body) {
        boolean json = request.getContentType()
                .filter(MediaType.APPLICATION_JSON_TYPE::matches)
                .isPresent();
        if (!json && !isForm(request)) {
            throw refusal(
                    request,
                    body,
                    JsonResponses.problem(
                            ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Type: must be application/json, or multipart/form-data with one part named request."));
        }
        ContentCoding coding = ContentCoding.of(request)
                .orElseThrow(() -> refusal(
                        request,
                        body,
                        JsonResponses.problem(
                                        ProblemCode.UNSUPPORTED_ENCODING,
                                        "Content-Encoding: must be one of " + ContentCoding.ACCEPTED + ", or left out.")
                                .header(HttpHeaders.ACCEPT_ENCODING, ContentCoding.ACCEPTED)));
        if (request.getContentLength() > limit) {
            throw refusal(request, body, tooLarge());
        }
        return coding;
    }

    private static boolean isForm(HttpRequest<?> request) {
        return request.getContentType()
                .filter(MediaType.MULTIPART_FORM_DATA_TYPE::matches)
                .isPresent();
    }

    /**
     * Refuses a request before its body is read. Reads and discards up to 8 MiB of it, because many clients send a body to
     * its end before they read the response; if it is longer, the response closes the connection.
     */
    public static RefusedException refusal(
            HttpRequest<?> request, @Nullable InputStream body, MutableHttpResponse<byte[]> response) {
        return new RefusedException(discardsRest(request, body) ? response : response.header("Connection", "close"));
    }

    /** Whether the connection can be used again: nothing of the body is left. */
    private static boolean discardsRest(HttpRequest<?> request, @Nullable InputStream body) {
        if (body == null || request.getHeaders().contains("Expect")) {
            return true;
        }
        long remaining = request.getContentLength() > MOST_DISCARDED ? 0 : MOST_DISCARDED;
        byte[] buffer = new byte[1 << 14];
        int n = 0;
        try {
            while (remaining > 0 && n >= 0) {
                n = body.read(buffer);
                remaining -= n;
            }
        } catch (IOException e) {
            return false; // the refused body breaks off or is too large, too
        }
        return n < 0;
    }

    private static MutableHttpResponse<byte[]> notKept() {
        return JsonResponses.unavailable(
                ProblemCode.STORAGE_UNAVAILABLE,
                "The request is too long to be kept in memory, and no file can be written; nothing was accepted.");
    }

    private static MutableHttpResponse<byte[]> noMemory() {
        return JsonResponses.unavailable(
                ProblemCode.GATEWAY_BUSY, "Too many large requests are being read; try again.");
    }

    private MutableHttpResponse<byte[]> tooLarge() {
        return JsonResponses.problem(
                ProblemCode.BODY_TOO_LARGE, "The body is larger than the " + limit + " bytes that are accepted.");
    }

    /**
     * Clients see this where only their sending side has ended, or where a proxy sent the request.
     */
    private static MutableHttpResponse<byte[]> brokenOff() {
        return JsonResponses.problem(
                        ProblemCode.MALFORMED_MESSAGE,
                        "The body is framed wrongly or ends too early; nothing was accepted.")
                .header("Connection", "close");
    }

    private static MutableHttpResponse<byte[]> notDecodable(HttpRequest<?> request) {
        return JsonResponses.problem(
                ProblemCode.INVALID_REQUEST,
                "Content-Encoding: the body is not what " + request.getHeaders().get(HttpHeaders.CONTENT_ENCODING)
                        + " makes, or not all of it.");
    }
}
