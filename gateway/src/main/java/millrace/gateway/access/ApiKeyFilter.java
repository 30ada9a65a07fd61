package millrace.gateway.access;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.regex.Pattern;
import millrace.files.SignedLinks;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.GatewayMetrics;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import org.jspecify.annotations.Nullable;

/**
 * Checks the key of batch calls before their body is read. Download links are signed and need no
 * key.
 */
@ServerFilter({"/v3/batch/**", "/batch/**", "/mcp/**"})
public final class ApiKeyFilter {
    /** The path for agents, whose clients send the key as a bearer token. */
    private static final String AGENTS = "/mcp";

    private static final String CALLER = "millrace.caller";

    private static final String VALIDATE = "/request-validate";

    private static final int SMALL = 1 << 16;

    private static final Pattern BEARER = Pattern.compile("(?i)^bearer +");

    private final AccessCheck accessCheck;
    private final GatewayMetrics metrics;

    ApiKeyFilter(AccessCheck accessCheck, GatewayMetrics metrics) {
        this.accessCheck = accessCheck;
        this.metrics = metrics;
    }

    @RequestFilter
    @Nullable
    HttpResponse<?> check(HttpRequest<?> request) {
        if (request.getPath().startsWith(SignedLinks.PATH + "/")) {
            return QueryParameters.refusal(request).orElse(null);
        }
        @Nullable String key = key(request);
        if (key != null && isForAgents(request) && hasAnotherBearer(request, key)) {
            return withoutReading(
                    request,
                    JsonResponses.problem(
                            ProblemCode.INVALID_REQUEST,
                            "Authorization: has another key than api-key; send one of them."));
        }
        boolean bearer = key == null && isForAgents(request);
        AccessCheck.Access access = bearer
                ? accessCheck.batch(request, HttpHeaders.AUTHORIZATION, bearer(request), rate(request))
                : accessCheck.batch(request, "api-key", key, rate(request));
        return switch (access) {
            case AccessCheck.Access.Granted(Caller caller) -> {
                request.setAttribute(CALLER, caller);
                yield QueryParameters.refusal(request)
                        .map(answer -> withoutReading(request, answer))
                        .orElse(null);
            }
            case AccessCheck.Access.Denied(var answer) -> {
                metrics.denied(answer.status());
                if (bearer && answer.status() == HttpStatus.UNAUTHORIZED) {
                    answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
                }
                yield withoutReading(request, answer);
            }
        };
    }

    /** The body of a refused call is not read, so the connection must be closed where it is long. */
    private static MutableHttpResponse<byte[]> withoutReading(
            HttpRequest<?> request, MutableHttpResponse<byte[]> answer) {
        boolean body =
                request.getContentLength() > SMALL || request.getHeaders().contains("Transfer-Encoding");
        return body ? answer.header("Connection", "close") : answer;
    }

    /** The key in the headers of a request; null where there is none. Some clients write the header's name with an underscore. */
    public static @Nullable String key(HttpRequest<?> request) {
        String key = request.getHeaders().get("api-key");
        return key == null ? request.getHeaders().get("api_key") : key;
    }

    /** The key in Authorization, with or without the word Bearer; null if there is none. */
    private static @Nullable String bearer(HttpRequest<?> request) {
        @Nullable String sent = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        return sent == null ? null : BEARER.matcher(sent).replaceFirst("");
    }

    /** Of Authorization with another scheme, such as Basic, a proxy in front reads the rest. */
    private static boolean hasAnotherBearer(HttpRequest<?> request, String key) {
        @Nullable String other = bearer(request);
        return other != null && !other.equals(key) && !other.contains(" ");
    }

    private static boolean isForAgents(HttpRequest<?> request) {
        return request.getPath().startsWith(AGENTS);
    }

    /**
     * Validating changes nothing, so that a form can validate while somebody types. What an agent asks for is in the body:
     * it counts as a read, and what changes something once more.
     */
    private static RequestRate rate(HttpRequest<?> request) {
        return switch (request.getMethod()) {
            case GET, HEAD, OPTIONS -> RequestRate.READS;
            default ->
                request.getPath().endsWith(VALIDATE) || isForAgents(request)
                        ? RequestRate.READS
                        : RequestRate.SUBMISSIONS;
        };
    }

    /** The caller of a batch call. Throws where the path has no key check. */
    public static Caller caller(HttpRequest<?> request) {
        return request.getAttribute(CALLER, Caller.class)
                .orElseThrow(() -> new IllegalStateException(request.getPath() + " is not behind the key filter"));
    }
}
