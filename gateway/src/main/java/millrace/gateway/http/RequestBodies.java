package millrace.gateway.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import millrace.gateway.GatewaySettings;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies of JSON, plain or as a file part of a form, and never more of them at once than there is room for: what is kept
 * of a body is about as large as the body, so all large ones together may have a quarter of the heap.
 */
@Singleton
final class RequestBodies {
    private static final int SMALL = 1 << 20;
    private static final int PERMIT = 1 << 10;
    private static final int SHARE_OF_HEAP = 4;
    private static final long MOST_DISCARDED = 8L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final int limit;
    private final int permits;
    private final Semaphore room;

    RequestBodies(GatewaySettings settings) {
        this.limit = settings.maxBodyBytes();
        long bytes = Math.max(limit, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
        this.permits = (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, PERMIT));
        this.room = new Semaphore(permits, true);
    }

    /** What is done with the JSON of a body, which comes once and may end with an exception. */
    @FunctionalInterface
    interface Reading<T> {
        T apply(InputStream json) throws IOException;
    }

    /**
     * Gives the body to {@code then}, while it comes; where it cannot be read to its end, {@code refused} makes the answer of the
     * same type, whatever {@code then} answered: it must not act on a stream that fails. Blocks.
     */
    <T> T stream(
            HttpRequest<?> request,
            @Nullable InputStream body,
            Reading<T> then,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException, InterruptedException {
        Optional<MutableHttpResponse<byte[]>> refusal = refusal(request);
        if (refusal.isPresent()) {
            return refused.apply(undisturbed(request, body, refusal.get()));
        }
        int wanted = permits(request);
        if (!room.tryAcquire(wanted, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            return refused.apply(undisturbed(
                    request, body, Answers.unavailable("Too many large requests are being read; try again.")));
        }
        try (var bounded = new BoundedBody(body == null ? InputStream.nullInputStream() : body, limit)) {
            return whole(request, bounded, then, refused);
        } finally {
            room.release(wanted);
        }
    }

    /** As {@link #stream}, for a body that is small where it makes sense. */
    <T> T read(
            HttpRequest<?> request,
            @Nullable InputStream body,
            Function<byte[], T> then,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException, InterruptedException {
        return stream(request, body, json -> then.apply(json.readNBytes(SMALL)), refused);
    }

    private <T> T whole(
            HttpRequest<?> request, BoundedBody body, Reading<T> then, Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException {
        T answer;
        try {
            answer = form(request) ? ofForm(request, body, then, refused) : then.apply(body);
            body.drain();
        } catch (IOException e) {
            if (!body.exceeded()) {
                throw e;
            }
            answer = refused.apply(tooLarge());
        }
        return body.exceeded() ? refused.apply(undisturbed(request, body, tooLarge())) : answer;
    }

    private static <T> T ofForm(
            HttpRequest<?> request, InputStream body, Reading<T> then, Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException {
        try (RequestPart part =
                RequestPart.read(String.valueOf(request.getHeaders().get("Content-Type")), body)) {
            return switch (part.content()) {
                case Content.Json(InputStream json) -> then.apply(json);
                case Content.Broken(String sentence) ->
                    refused.apply(Answers.problem(HttpStatus.BAD_REQUEST, sentence));
            };
        }
    }

    private Optional<MutableHttpResponse<byte[]>> refusal(HttpRequest<?> request) {
        boolean json = request.getContentType()
                .filter(MediaType.APPLICATION_JSON_TYPE::matches)
                .isPresent();
        if (!json && !form(request)) {
            return Optional.of(
                    Answers.problem(
                            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Type: must be application/json, or multipart/form-data with one file part named request."));
        }
        return request.getContentLength() > limit ? Optional.of(tooLarge()) : Optional.empty();
    }

    private static boolean form(HttpRequest<?> request) {
        return request.getContentType()
                .filter(MediaType.MULTIPART_FORM_DATA_TYPE::matches)
                .isPresent();
    }

    /**
     * Many clients send all of a body before they look at the answer. So what is refused is read on, to a degree, and thrown
     * away; a client that sends more has the connection closed.
     */
    static MutableHttpResponse<byte[]> undisturbed(
            HttpRequest<?> request, @Nullable InputStream body, MutableHttpResponse<byte[]> answer) throws IOException {
        if (body == null || request.getHeaders().contains("Expect")) {
            return answer;
        }
        long left = request.getContentLength() > MOST_DISCARDED ? 0 : MOST_DISCARDED;
        byte[] buffer = new byte[1 << 14];
        int n = 0;
        while (left > 0 && n >= 0) {
            n = body.read(buffer);
            left -= n;
        }
        return n < 0 ? answer : answer.header("Connection", "close");
    }

    private MutableHttpResponse<byte[]> tooLarge() {
        return Answers.problem(
                HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                "The body is larger than the " + limit + " bytes that are accepted.");
    }

    /** Nothing for small bodies; all that it may become where the length is not known. */
    private int permits(HttpRequest<?> request) {
        long length = request.getContentLength();
        if (length >= 0 && length <= SMALL) {
            return 0;
        }
        return (int) Math.min(permits, Math.ceilDiv(length < 0 ? limit : length, PERMIT));
    }
}
