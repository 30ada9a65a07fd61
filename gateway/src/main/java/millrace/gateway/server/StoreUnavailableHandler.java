package millrace.gateway.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import millrace.gateway.copy.database.StoreException;
import millrace.gateway.problems.ProblemCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers 503 where a route reads the gateway's disk and that cannot be read. */
@Singleton
public final class StoreUnavailableHandler implements ExceptionHandler<StoreException, MutableHttpResponse<byte[]>> {
    private static final Logger LOG = LoggerFactory.getLogger(StoreUnavailableHandler.class);

    @Override
    @SuppressWarnings("rawtypes") // the framework's signature
    public MutableHttpResponse<byte[]> handle(HttpRequest request, StoreException e) {
        LOG.warn("disk not read path={} error={}", request.getPath(), e.getMessage());
        return JsonResponses.unavailable(
                ProblemCode.STORAGE_UNAVAILABLE, "This gateway cannot read what it keeps on its disk; try again.");
    }
}
