package millrace.gateway.admin;

import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import jakarta.inject.Singleton;
import millrace.gateway.server.ProblemErrorResponseProcessor;

/** As those of the public API, with the sentences of the admin API. */
@Singleton
@Primary
@Requires(beans = AdminKeys.class) // the public API has none
final class AdminErrorResponseProcessor extends ProblemErrorResponseProcessor {
    @Override
    protected void complete(HttpRequest<?> request, MutableHttpResponse<?> answer) {
        AdminKeyFilter.headers(request, answer);
    }

    @Override
    protected String sentence(ErrorContext context, HttpStatus status, String methods) {
        String path = context.getRequest().getPath();
        return switch (status) {
            case NOT_FOUND -> "There is nothing at " + path + ".";
            case METHOD_NOT_ALLOWED -> path + " accepts " + methods + ".";
            default -> super.sentence(context, status, methods);
        };
    }
}
