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
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
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

    /**
     * Checks the JSON of a body and acts on nothing. Called once; the stream may end with an
     * exception. Of a long body it has the turn whenever it is not reading, so it waits for nothing
     * but the stream.
     */
    @FunctionalInterface
    public interface JsonCheck<T> {
        /** Returns what acts and makes the answer. */
        Supplier<T> apply(InputStream json) throws IOException;
    }

    /**
     * Passes the body to {@code check} while it arrives, and then makes the answer. Where the body
     * cannot be read to its end, returns {@code refused} of the error response instead. Blocks.
     */
    public <T> T stream(
            HttpRequest<?> request,
            @Nullable InputStream body,
            JsonCheck<T> check,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException {
        Optional<ContentCoding> coding = ContentCoding.of(request);
        Optional<MutableHttpResponse<byte[]>> refusal = refusal(request, coding);
        if (refusal.isPresent() || coding.isEmpty()) {
            return refused.apply(discardingRest(request, body, refusal.orElseThrow()));
        }
        String accountId = ApiKeyFilter.caller(request).accountId();
        try (var share = memory.share(accountId);
                var sent = RequestBodyStreams.of(body, coding.get(), limit, share)) {
            long length = coding.get() == ContentCoding.IDENTITY ? request.getContentLength() : -1;
            if (length > 0 && !share.holds(length)) {
                return refused.apply(discardingRest(request, body, noMemory()));
            }
            return length >= 0 && length <= SHORT
                    ? whole(request, sent, check, refused)
                    : CpuBoundWork.run(() -> whole(request, sent, inTurns(accountId, check), refused));
        }
    }

    /**
     * Reads and discards a body that the route does not need. Returns an error response where it
     * cannot be read to its end; the route must not act on the request then. Blocks.
     */
    public Optional<MutableHttpResponse<byte[]>> skip(HttpRequest<?> request, @Nullable InputStream body) {
        try (var sent = RequestBodyStreams.of(body, ContentCoding.IDENTITY, limit, null)) {
            sent.drain();
            return sent.exceeded() ? Optional.of(discardingRest(request, body, tooLarge())) : Optional.empty();
        } catch (IOException e) {
            return Optional.of(brokenOff());
        }
    }

    /** As {@link #stream}, for a body of which only the first MiB matters. */
    public <T> T read(
            HttpRequest<?> request,
            @Nullable InputStream body,
            Function<byte[], T> then,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException {
        JsonCheck<T> readText = json -> {
            byte[] text = json.readNBytes(SMALL);
            long unused =
                    json.transferTo(OutputStream.nullOutputStream()); // a body that breaks off must not be acted on
            return () -> then.apply(text);
        };
        return stream(request, body, readText, refused);
    }

    private <T> JsonCheck<T> inTurns(String accountId, JsonCheck<T> check) {
        return json -> {
            try (CpuTurns.Turn turn = turns.of(accountId)) {
                return check.apply(new TurnStream(json, turn));
            }
        };
    }

    private <T> T whole(
            HttpRequest<?> request,
            RequestBodyStreams body,
            JsonCheck<T> check,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException {
        try {
            Supplier<T> answer =
                    form(request) ? ofForm(request, body.json(), check, refused) : check.apply(body.json());
            body.drain();
            if (!body.failed()) {
                return answer.get();
            }
        } catch (IOException e) {
            if (!body.failed()) {
                throw e;
            }
        } catch (BodySpool.UnusableException e) {
            LOG.warn("keeping a request in a temporary file failed error={}", String.valueOf(e.getCause()));
            return refused.apply(discardingRest(request, body.raw(), notKept()));
        }
        return refused.apply(discardingRest(request, body.raw(), fault(request, body)));
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

    private static <T> Supplier<T> ofForm(
            HttpRequest<?> request,
            InputStream body,
            JsonCheck<T> check,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException {
        try (MultipartRequestPart part =
                MultipartRequestPart.read(String.valueOf(request.getHeaders().get("Content-Type")), body)) {
            return switch (part.content()) {
                case FormContent.Json(InputStream json) -> check.apply(json);
                case FormContent.Broken(String sentence) ->
                    () -> refused.apply(JsonResponses.problem(ProblemCode.INVALID_REQUEST, sentence));
            };
        }
    }

    private Optional<MutableHttpResponse<byte[]>> refusal(HttpRequest<?> request, Optional<ContentCoding> coding) {
        boolean json = request.getContentType()
                .filter(MediaType.APPLICATION_JSON_TYPE::matches)
                .isPresent();
        if (!json && !form(request)) {
            return Optional.of(JsonResponses.problem(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type: must be application/json, or multipart/form-data with one part named request."));
        }
        if (coding.isEmpty()) {
            return Optional.of(JsonResponses.problem(
                            ProblemCode.UNSUPPORTED_ENCODING,
                            "Content-Encoding: must be one of " + ContentCoding.ACCEPTED + ", or left out.")
                    .header(HttpHeaders.ACCEPT_ENCODING, ContentCoding.ACCEPTED));
        }
        return request.getContentLength() > limit ? Optional.of(tooLarge()) : Optional.empty();
    }

    private static boolean form(HttpRequest<?> request) {
        return request.getContentType()
                .filter(MediaType.MULTIPART_FORM_DATA_TYPE::matches)
                .isPresent();
    }

    /**
     * Reads and discards up to 8 MiB of the rest of a refused body, because many clients send a
     * body to its end before they read the response. Where the body is longer, the response closes
     * the connection.
     */
    public static MutableHttpResponse<byte[]> discardingRest(
            HttpRequest<?> request, @Nullable InputStream body, MutableHttpResponse<byte[]> answer) {
        if (body == null || request.getHeaders().contains("Expect")) {
            return answer;
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
            n = 0; // the refused body breaks off or is too large, too
        }
        return n < 0 ? answer : answer.header("Connection", "close");
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
