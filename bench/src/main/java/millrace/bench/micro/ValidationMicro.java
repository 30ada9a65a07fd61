package millrace.bench.micro;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.Catalog;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.contracts.requests.ApiDialect;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Validates a request body, from its bytes to the request and its estimate or its errors. */
@State(Scope.Benchmark)
public class ValidationMicro {
    private static final Entitlements.Access ALL = new Entitlements.Access(
            Set.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));

    @Param({"5", "1000"})
    public int domains;

    private final RequestValidator validator = new RequestValidator(RequestLimits.DEFAULT);
    private final Dataset dataset = Catalog.builtIn().dataset("demographics").orElseThrow();
    private final Entitlements entitlements =
            new Entitlements(Map.of(CapabilityCategory.WEB_DESKTOP, ALL, CapabilityCategory.WEB_MOBILE, ALL));
    private byte[] body = {};

    @Setup
    public void write() {
        String names = IntStream.range(0, domains)
                .mapToObj(i -> "\"site" + i * 7_919 % 100_003 + ".example\"")
                .collect(Collectors.joining(","));
        body = """
                {"domains":[%s],"countries":["US","GB","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2025-01","end_date":"2025-10","granularity":"monthly"}""".formatted(names).getBytes(StandardCharsets.UTF_8);
        if (!(validate() instanceof CheckedRequest.Valid)) {
            throw new IllegalStateException("not valid: " + validate());
        }
    }

    @Benchmark
    public CheckedRequest validate() {
        return validator.validate(dataset, body, entitlements, ApiDialect.V3);
    }
}
