package millrace.gateway.server;

import io.micronaut.context.annotation.Primary;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.netty.RefusedMessageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the error responses of Micronaut into problem documents that show nothing of the inside.
 */
@Singleton
@Primary
public class ProblemErrorResponseProcessor implements ErrorResponseProcessor<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemErrorResponseProcessor.class);

    @Override
    public MutableHttpResponse<byte[]> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
        if (context.getRequest() instanceof NettyHttpRequest<?> request
                && request.getNativeRequest().decoderResult().cause() instanceof RefusedMessageException refused) {
            var answer = JsonResponses.problem(refused.code(), String.valueOf(refused.getMessage()));
            complete(request, answer); // no filter sees it
            return answer;
        }
        HttpStatus status = HttpStatus.valueOf(response.code());
        String methods = response.getHeaders().getAll(HttpHeaders.ALLOW).stream()
                .flatMap(some -> Stream.of(some.split(",", -1)))
                .sorted()
                .collect(Collectors.joining(", "));
        MutableHttpResponse<byte[]> problem =
                JsonResponses.problem(ProblemCode.ofStatus(status.getCode()), sentence(context, status, methods));
        return methods.isEmpty() ? problem : problem.header(HttpHeaders.ALLOW, methods);
    }

    /** Adds the headers that every answer has. */
    protected void complete(HttpRequest<?> request, MutableHttpResponse<?> answer) {
        RequestMetricsFilter.headers(request, answer);
    }

    /** @param methods that would be accepted, where the method is not */
    protected String sentence(ErrorContext context, HttpStatus status, String methods) {
        String path = context.getRequest().getPath();
        String method = context.getRequest().getMethodName();
        return switch (status) {
            case NOT_FOUND -> "There is nothing at " + path + "; /openapi.json lists what there is.";
            case METHOD_NOT_ALLOWED -> path + " does not accept " + method + ".";
            case NOT_ACCEPTABLE -> path + " has no answer of a type that the Accept header allows.";
            case UNSUPPORTED_MEDIA_TYPE -> "Content-Type: must be application/json or multipart/form-data.";
            case REQUEST_ENTITY_TOO_LARGE -> "The body is too large.";
            default -> status.getCode() < 500 ? refused(context) : failed(context);
        };
    }

    private static String refused(ErrorContext context) {
        return List.copyOf(context.getErrors()).stream()
                .findFirst()
                .map(e -> e.getPath().map(p -> p + ": ").orElse("") + e.getMessage())
                .orElse("The request cannot be read.");
    }

    private static String failed(ErrorContext context) {
        @Nullable Throwable cause = context.getRootCause().orElse(null);
        LOG.error(
                "request failed method={} path={}",
                context.getRequest().getMethodName(),
                context.getRequest().getPath(),
                cause);
        return "Something went wrong here; it has been logged.";
    }
}
