package millrace.bench.gateway;

import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import millrace.bench.process.BenchKafka;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.LongSerializer;

/**
 * The server that the gateway is compared with: the same stack, with nothing between the request
 * and the record.
 */
@Controller("/bare")
@Consumes(MediaType.ALL)
@Produces(MediaType.APPLICATION_JSON)
@Requires(property = "bare.servers")
final class BareController {
    private static final byte[] ANSWER = "{\"status\":\"processing\"}".getBytes(StandardCharsets.UTF_8);

    private static final String TOPIC = Topics.COMMAND_DEAD_LETTERS.name();

    /** About the size of a compressed command. */
    private final byte[] value = new byte[900];

    private final KafkaProducer<Long, byte[]> producer;
    private final AtomicLong keys = new AtomicLong();

    BareController(@Property(name = "bare.servers") String servers) {
        new Random(1).nextBytes(value);
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "acks",
                        "all",
                        "linger.ms",
                        0,
                        "compression.type",
                        BenchKafka.CODEC),
                new LongSerializer(),
                new ByteArraySerializer());
    }

    @Get
    byte[] get() {
        return ANSWER;
    }

    @Post("/read")
    @ExecuteOn(TaskExecutors.BLOCKING)
    byte[] read(@Body InputStream body) throws IOException {
        try (body) {
            body.readAllBytes();
        }
        return ANSWER;
    }

    @Post("/publish")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @SuppressWarnings("FutureReturnValueIgnored") // its callback tells
    CompletionStage<byte[]> publish(@Body InputStream body) throws IOException {
        try (body) {
            body.readAllBytes();
        }
        var answer = new CompletableFuture<byte[]>();
        producer.send(new ProducerRecord<>(TOPIC, keys.getAndIncrement(), value), (metadata, error) -> {
            if (error == null) {
                answer.complete(ANSWER);
            } else {
                answer.completeExceptionally(error);
            }
        });
        return answer;
    }

    /** Publishes a record and waits for it: what cannot work is noticed before it is measured. */
    void publishOne() throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>(TOPIC, keys.getAndIncrement(), value))
                .get();
    }

    @PreDestroy
    void close() {
        producer.close();
    }
}
