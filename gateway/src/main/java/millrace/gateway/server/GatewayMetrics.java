package millrace.gateway.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.catalog.Catalog;
import millrace.gateway.problems.ProblemCode;
import millrace.runtime.telemetry.HistogramBuckets;
import org.jspecify.annotations.Nullable;

/** Counts and times the requests of the gateway. */
@Singleton
public final class GatewayMetrics {
    /** The label {@code reason} for each refusal. */
    private static final Map<ProblemCode, String> REASONS = Map.of(
            ProblemCode.INVALID_REQUEST, "invalid",
            ProblemCode.IDEMPOTENCY_CONFLICT, "key_taken",
            ProblemCode.INSUFFICIENT_CREDITS, "credits",
            ProblemCode.TOO_MANY_OPEN_REPORTS, "too_many_open",
            ProblemCode.REQUEST_TOO_LARGE, "too_large",
            ProblemCode.STORAGE_UNAVAILABLE, "store_away",
            ProblemCode.DISK_FULL, "disk_short",
            ProblemCode.RETRY_IN_PROGRESS, "underway",
            ProblemCode.OUTCOME_UNKNOWN, "unacknowledged");

    private final MeterRegistry registry;
    private final Map<String, Counter> accepted;
    private final Map<String, Counter> refused;
    private final Map<String, Counter> denied;
    private final Map<Call, Timer> calls = new ConcurrentHashMap<>();

    private record Call(String method, String route, int hundreds) {}

    GatewayMetrics(MeterRegistry registry, Catalog catalog) {
        this.registry = registry;
        accepted = counters(catalog.names(), dataset -> Counter.builder("millrace.reports.accepted")
                .description("Accepted reports: Kafka has acknowledged their command")
                .tag("dataset", dataset));
        refused = counters(REASONS.values(), reason -> Counter.builder("millrace.reports.refused")
                .description("Refused report requests")
                .tag("reason", reason));
        denied = counters(
                Arrays.asList("key", "rate", "not_ready"), reason -> Counter.builder("millrace.requests.refused")
                        .description("Requests refused before their body is read")
                        .tag("reason", reason));
    }

    private Map<String, Counter> counters(Collection<String> words, Function<String, Counter.Builder> counter) {
        return words.stream().collect(Collectors.toMap(word -> word, word -> counter.apply(word)
                .register(registry)));
    }

    /** Records an answered request. */
    void answered(String method, String route, int status, long nanos) {
        calls.computeIfAbsent(new Call(method, route, status / 100), this::timer)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a request that was refused before its body was read. */
    public void denied(HttpStatus status) {
        add(
                denied,
                status == HttpStatus.UNAUTHORIZED || status == HttpStatus.FORBIDDEN
                        ? "key"
                        : status == HttpStatus.TOO_MANY_REQUESTS ? "rate" : "not_ready");
    }

    /** Counts an accepted report. */
    public void accepted(String dataset) {
        add(accepted, dataset);
    }

    /** Counts a report that was not accepted. */
    public void refused(ProblemCode code) {
        add(refused, REASONS.getOrDefault(code, ""));
    }

    private static void add(Map<String, Counter> counters, String word) {
        @Nullable Counter counter = counters.get(word);
        if (counter != null) {
            counter.increment();
        }
    }

    private Timer timer(Call call) {
        return Timer.builder("millrace.http.requests")
                .description("Time until a response's headers are sent; status is 2xx, 4xx or 5xx")
                .tag("method", call.method)
                .tag("route", call.route)
                .tag("status", call.hundreds + "xx")
                .serviceLevelObjectives(HistogramBuckets.calls())
                .register(registry);
    }
}
