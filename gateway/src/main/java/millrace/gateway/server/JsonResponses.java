package millrace.gateway.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/**
 * Builds JSON and problem+json responses. The one JSON mapper writes the bodies, and not
 * Micronaut's.
 */
public final class JsonResponses {
    static final String RETRY_AFTER = "Retry-After";
    private static final String UNWRITTEN = "millrace.problem";
    private static final MediaType PROBLEM = MediaType.of("application/problem+json");

    private JsonResponses() {}

    public static MutableHttpResponse<byte[]> ok(Object body) {
        return HttpResponse.ok(Json.bytes(body)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    public static MutableHttpResponse<byte[]> created(Object body) {
        return ok(body).status(HttpStatus.CREATED);
    }

    public static MutableHttpResponse<byte[]> accepted(Object body) {
        return ok(body).status(HttpStatus.ACCEPTED);
    }

    /**
     * A problem document (RFC 9457), whose body {@link #complete} writes.
     *
     * @param errors sentences that name the field, what is wrong and what is accepted
     */
    public static MutableHttpResponse<byte[]> problem(ProblemCode code, List<String> errors) {
        return problem(code, errors, null);
    }

    public static MutableHttpResponse<byte[]> problem(ProblemCode code, String error) {
        return problem(code, List.of(error), null);
    }

    public static MutableHttpResponse<byte[]> problem(ProblemCode code, List<String> errors, @Nullable UUID reportId) {
        MutableHttpResponse<byte[]> response = HttpResponse.status(HttpStatus.valueOf(code.status()));
        response.setAttribute(UNWRITTEN, new Unwritten(code, errors, reportId));
        return response.contentType(PROBLEM);
    }

    /** Whether it is a problem of ours, whose body may be unwritten. */
    static boolean isProblem(MutableHttpResponse<?> response) {
        return response.getAttribute(UNWRITTEN).isPresent();
    }

    private record Unwritten(
            ProblemCode code, List<String> errors, @Nullable UUID reportId) {}

    /** Writes the body of a problem, which names the request. Called once for each response, outside of all routes. */
    public static void complete(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (response.code() < 400) {
            return;
        }
        Optional<Unwritten> problem = response.getAttribute(UNWRITTEN, Unwritten.class);
        if (problem.isPresent()) {
            @SuppressWarnings("unchecked") // it was made by problem() above
            var unwritten = (MutableHttpResponse<byte[]>) response;
            unwritten.body(Json.bytes(Problem.of(problem.get(), RequestId.of(request))));
        }
    }

    /** 404 for a dataset that the catalog does not have. */
    public static MutableHttpResponse<byte[]> unknownDataset(String dataset, List<String> known) {
        return problem(
                ProblemCode.DATASET_NOT_FOUND,
                "There is no dataset " + dataset + "; there are " + String.join(", ", known) + ".");
    }

    /** 403 for a page whose origin is not among those that may. */
    public static MutableHttpResponse<byte[]> foreignOrigin(String origin) {
        return problem(
                ProblemCode.ORIGIN_NOT_ALLOWED,
                "Origin: pages of " + QueryParameters.shown(origin)
                        + " may not use this API; gateway.allowed-origins names those that may.");
    }

    public static MutableHttpResponse<byte[]> unknownAccount(String account) {
        return problem(ProblemCode.ACCOUNT_NOT_FOUND, "There is no account " + account + ".");
    }

    public static MutableHttpResponse<byte[]> fileGone() {
        return problem(ProblemCode.FILE_GONE, "The file is no longer there.");
    }

    /** Sets Retry-After to whole seconds, rounded up, at least one. */
    public static MutableHttpResponse<byte[]> retryAfter(MutableHttpResponse<byte[]> response, Duration wait) {
        return response.header(RETRY_AFTER, Long.toString(wholeSeconds(wait)));
    }

    /** A wait for a header: rounded up, at least one second. */
    static long wholeSeconds(Duration wait) {
        return Math.max(1, Math.ceilDiv(wait.toMillis(), 1000L));
    }

    /** A code of 503 with a Retry-After of one second. */
    public static MutableHttpResponse<byte[]> unavailable(ProblemCode code, String error) {
        return retryAfter(problem(code, error), Duration.ofSeconds(1));
    }

    private record Problem(
            String type,
            String title,
            int status,
            String code,
            @Nullable String detail,
            List<String> errors,
            @Nullable UUID reportId,
            String requestId) {
        static Problem of(Unwritten problem, String requestId) {
            HttpStatus status = HttpStatus.valueOf(problem.code().status());
            List<String> errors = problem.errors();
            return new Problem(
                    "about:blank",
                    status.getReason(),
                    status.getCode(),
                    problem.code().word(),
                    errors.size() == 1 ? errors.getFirst() : null,
                    errors,
                    problem.reportId(),
                    requestId);
        }
    }
}
