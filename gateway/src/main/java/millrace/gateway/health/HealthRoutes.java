package millrace.gateway.health;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.util.Optional;
import millrace.gateway.copy.CopyReader;
import millrace.gateway.copy.reports.ModelReader;
import millrace.gateway.server.JsonResponses;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.management.DiskSpaceMonitor;
import org.jspecify.annotations.Nullable;

/** Liveness and readiness for load balancers and supervisors. Answers come from memory. */
@Controller("/health")
@Produces(MediaType.ALL)
final class HealthRoutes {
    private final GatewayHealth health;
    private final ModelReader reader;
    private final KafkaAvailability kafka;
    private final DiskSpaceMonitor disk;

    HealthRoutes(GatewayHealth health, ModelReader reader, KafkaAvailability kafka, DiskSpaceMonitor disk) {
        this.health = health;
        this.reader = reader;
        this.kafka = kafka;
        this.disk = disk;
    }

    private record Live(String status) {}

    /** @param recordsLeft null where nothing is left to be read; the seconds also while they are not known */
    private record Ready(
            String status,
            boolean kafka,
            boolean caughtUp,
            boolean disk,
            @Nullable Long recordsLeft,
            @Nullable Long secondsLeft) {}

    @Get("/liveness")
    HttpResponse<byte[]> liveness() {
        return JsonResponses.ok(new Live("UP"));
    }

    @Get("/readiness")
    HttpResponse<byte[]> readiness() {
        boolean ready = health.ready();
        Optional<CopyReader.Progress> left = reader.left();
        var body = new Ready(
                ready ? "UP" : "DOWN",
                kafka.isAvailable(),
                reader.current(),
                disk.hasRoomForReports(),
                left.map(CopyReader.Progress::recordsLeft).orElse(null),
                left.map(CopyReader.Progress::secondsLeft).orElse(null));
        return JsonResponses.ok(body).status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    }
}
