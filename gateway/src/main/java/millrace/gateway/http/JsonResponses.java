package millrace.gateway.http;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * Builds JSON and problem+json responses. The one JSON mapper writes the bodies, and not
 * Micronaut's.
 */
public final class JsonResponses {
    static final String RETRY_AFTER = "Retry-After";
    private static final MediaType PROBLEM = MediaType.of("application/problem+json");

    private JsonResponses() {}

    public static MutableHttpResponse<byte[]> ok(Object body) {
        return HttpResponse.ok(Json.bytes(body)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /**
     * A problem document (RFC 9457).
     *
     * @param errors sentences that name the field, what is wrong and what is accepted
     */
    public static MutableHttpResponse<byte[]> problem(HttpStatus status, List<String> errors) {
        return problem(status, errors, null);
    }

    public static MutableHttpResponse<byte[]> problem(HttpStatus status, String error) {
        return problem(status, List.of(error), null);
    }

    public static MutableHttpResponse<byte[]> problem(HttpStatus status, List<String> errors, @Nullable UUID reportId) {
        String detail = errors.size() == 1 ? errors.getFirst() : null;
        var problem = new Problem("about:blank", status.getReason(), status.getCode(), detail, errors, reportId);
        return HttpResponse.<byte[]>status(status).body(Json.bytes(problem)).contentType(PROBLEM);
    }

    /** 404 for a dataset that the catalog does not have. */
    public static MutableHttpResponse<byte[]> unknownDataset(String dataset, List<String> known) {
        return problem(
                HttpStatus.NOT_FOUND,
                "There is no dataset " + dataset + "; there are " + String.join(", ", known) + ".");
    }

    /** Sets Retry-After to whole seconds, rounded up, at least one. */
    public static MutableHttpResponse<byte[]> retryAfter(MutableHttpResponse<byte[]> response, Duration wait) {
        long seconds = Math.max(1, Math.ceilDiv(wait.toMillis(), 1000L));
        return response.header(RETRY_AFTER, Long.toString(seconds));
    }

    /** 503 with a Retry-After of one second. */
    public static MutableHttpResponse<byte[]> unavailable(String error) {
        return retryAfter(problem(HttpStatus.SERVICE_UNAVAILABLE, error), Duration.ofSeconds(1));
    }

    private record Problem(
            String type,
            String title,
            int status,
            @Nullable String detail,
            List<String> errors,
            @Nullable UUID reportId) {}
}
