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

/** Reads bodies of JSON, plain or as a file part of a form, and never more of them at once than there is room for. */
@Singleton
final class RequestBodies {
    private static final int SMALL = 1 << 20;
    private static final int PERMIT = 1 << 10;
    private static final int AT_ONCE = 4;
    private static final long MOST_DISCARDED = 1L << 28;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final int limit;
    private final Semaphore room;

    RequestBodies(GatewaySettings settings) {
        this.limit = settings.maxBodyBytes();
        this.room = new Semaphore(Math.max(1, AT_ONCE * Math.ceilDiv(limit, PERMIT)), true);
    }

    /**
     * Reads the body and gives it to {@code then}; where it cannot be read, {@code refused} makes the answer of the same type.
     * Blocks.
     */
    <T> T read(
            HttpRequest<?> request,
            @Nullable InputStream body,
            Function<byte[], T> then,
            Function<MutableHttpResponse<byte[]>, T> refused)
            throws IOException, InterruptedException {
        Optional<MutableHttpResponse<byte[]>> refusal = refusal(request);
        if (refusal.isPresent()) {
            if (!request.getHeaders().contains("Expect")) {
                discard(body);
            }
            return refused.apply(refusal.get());
        }
        int permits = permits(request);
        if (!room.tryAcquire(permits, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            return refused.apply(Answers.unavailable("Too many large requests are being read; try again."));
        }
        try {
            return switch (content(request, body)) {
                case Content.Json(byte[] json) -> then.apply(json);
                case Content.TooLarge() -> refused.apply(tooLarge());
                case Content.Broken(String sentence) ->
                    refused.apply(Answers.problem(HttpStatus.BAD_REQUEST, sentence));
            };
        } finally {
            room.release(permits);
        }
    }

    private Optional<MutableHttpResponse<byte[]>> refusal(HttpRequest<?> request) {
        Optional<MediaType> type = request.getContentType();
        boolean form = type.filter(MediaType.MULTIPART_FORM_DATA_TYPE::matches).isPresent();
        if (!form && type.filter(MediaType.APPLICATION_JSON_TYPE::matches).isEmpty()) {
            return Optional.of(
                    Answers.problem(
                            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Type: must be application/json, or multipart/form-data with one file part named request."));
        }
        return request.getContentLength() > limit ? Optional.of(tooLarge()) : Optional.empty();
    }

    private Content content(HttpRequest<?> request, @Nullable InputStream body) throws IOException {
        byte[] bytes = body == null ? new byte[0] : body.readNBytes(limit + 1);
        if (bytes.length > limit) {
            discard(body);
            return new Content.TooLarge();
        }
        String type = request.getHeaders().get("Content-Type");
        return type != null && type.regionMatches(true, 0, MediaType.MULTIPART_FORM_DATA, 0, 19)
                ? RequestPart.read(type, bytes)
                : new Content.Json(bytes);
    }

    /**
     * Many clients send all of a body before they look at the answer. So what is refused is read on, to a degree, and thrown
     * away.
     */
    static void discard(@Nullable InputStream body) throws IOException {
        if (body != null) {
            long left = MOST_DISCARDED;
            byte[] buffer = new byte[1 << 16];
            for (int n = body.read(buffer); n >= 0 && left > 0; n = body.read(buffer)) {
                left -= n;
            }
        }
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
        return (int) Math.ceilDiv(length < 0 ? limit : length, PERMIT);
    }
}
