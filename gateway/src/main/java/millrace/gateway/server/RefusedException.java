package millrace.gateway.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.List;
import millrace.gateway.problems.ProblemCode;

/** Ends a request with the response that says why it is refused. Without a stack trace, since nothing is broken. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient MutableHttpResponse<byte[]> response;

    public RefusedException(MutableHttpResponse<byte[]> response) {
        super(response.code() + " " + response.reason(), null, false, false);
        this.response = response;
    }

    /** A request that is refused with one sentence. */
    public RefusedException(ProblemCode code, String error) {
        this(JsonResponses.problem(code, error));
    }

    /** What the request is answered with. */
    public MutableHttpResponse<byte[]> response() {
        return response;
    }

    /** @throws RefusedException with 400 and these sentences, if there are any */
    public static void ifAny(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new RefusedException(JsonResponses.problem(ProblemCode.INVALID_REQUEST, errors));
        }
    }

    /** Sends the response. */
    @Singleton
    public static final class Handler implements ExceptionHandler<RefusedException, MutableHttpResponse<byte[]>> {
        @Override
        @SuppressWarnings("rawtypes") // the framework's signature
        public MutableHttpResponse<byte[]> handle(HttpRequest request, RefusedException e) {
            return e.response;
        }
    }
}
