package millrace.gateway.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import millrace.gateway.problems.ProblemCode;
import org.apache.kafka.common.errors.RetriableException;

/** Answers 503 where a route reads Kafka and Kafka does not answer. */
@Singleton
final class KafkaUnavailableHandler implements ExceptionHandler<RetriableException, MutableHttpResponse<byte[]>> {
    @Override
    @SuppressWarnings("rawtypes") // the framework's signature
    public MutableHttpResponse<byte[]> handle(HttpRequest request, RetriableException e) {
        return JsonResponses.unavailable(
                ProblemCode.KAFKA_UNAVAILABLE, "Kafka does not answer at the moment; try again.");
    }
}
