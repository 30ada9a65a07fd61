package millrace.gateway.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.gateway.health.ProcessStates;
import millrace.gateway.server.JsonResponses;
import millrace.runtime.management.Health;
import org.jspecify.annotations.Nullable;

/** Tells whether every service is ready, and what is missing. Answers come from memory. */
@Controller("/admin/v1")
@Requires(beans = AdminKeys.class) // the public API has none
@Produces(MediaType.ALL)
final class ServiceRoutes {
    private static final String GATEWAY = "gateway";
    private static final List<String> NEEDED = List.of(GATEWAY, "processor", "notifier");

    private final AdminDependencies parts;

    ServiceRoutes(AdminDependencies parts) {
        this.parts = parts;
    }

    enum State {
        @JsonProperty("ready")
        READY,
        @JsonProperty("not_ready")
        NOT_READY,
        @JsonProperty("silent")
        SILENT
    }

    /**
     * A service of a process.
     *
     * @param missing checks that fail
     * @param answering whether this is the gateway that answers
     */
    record Service(
            String service,
            String instance,
            State state,
            List<String> missing,
            @Nullable Instant startedAt,
            Instant heardAt,
            boolean answering) {}

    /**
     * @param ready whether there is a ready one of each service
     * @param missing sentences
     */
    record Answer(boolean ready, List<String> missing, long openReports, List<Service> services) {}

    @Get(uri = "/services", headRoute = false)
    HttpResponse<byte[]> services() {
        Instant now = parts.clock().instant();
        String own = parts.kafka().instanceId();
        Health health = parts.health();
        var self = new Service(
                GATEWAY,
                own,
                health.ready() ? State.READY : State.NOT_READY,
                failing(health.checks()),
                null,
                now,
                true);
        return JsonResponses.ok(
                answer(self, parts.processes().all(), parts.model().open(), now));
    }

    /** @param self the gateway that answers, which need not wait to hear of itself */
    static Answer answer(Service self, List<ProcessStates.Heard> processes, long open, Instant now) {
        List<Service> services = Stream.concat(
                        Stream.of(self),
                        processes.stream()
                                .flatMap(heard -> services(heard, now))
                                .filter(s -> !s.service().equals(GATEWAY)
                                        || !s.instance().equals(self.instance())))
                .toList();
        List<String> missing = new ArrayList<>();
        if (self.missing().contains("kafka")) {
            missing.add("This gateway does not reach Kafka: what is shown of others is from before.");
        }
        Set<String> ready = services.stream()
                .filter(s -> s.state() == State.READY)
                .map(Service::service)
                .collect(Collectors.toSet());
        for (String service : NEEDED) {
            if (!ready.contains(service)) {
                boolean known = services.stream().anyMatch(s -> s.service().equals(service));
                missing.add(known ? "No " + service + " is ready." : "No " + service + " runs: start one.");
            }
        }
        return new Answer(ready.containsAll(NEEDED), missing, open, services);
    }

    private static Stream<Service> services(ProcessStates.Heard heard, Instant now) {
        return heard.state().services().entrySet().stream().map(service -> {
            List<String> failing = failing(service.getValue());
            // Several services of a process are ready or not each by itself; without a failing check it is stopping.
            boolean one = heard.state().services().size() == 1;
            boolean ready = one ? heard.state().ready() : failing.isEmpty();
            return new Service(
                    service.getKey(),
                    heard.state().instanceId(),
                    heard.silent(now) ? State.SILENT : ready ? State.READY : State.NOT_READY,
                    failing,
                    heard.state().startedAt(),
                    heard.at(),
                    false);
        });
    }

    private static List<String> failing(Map<String, Boolean> checks) {
        return checks.entrySet().stream()
                .filter(check -> !check.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }
}
