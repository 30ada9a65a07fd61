package millrace.bench.micro;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.Catalog;
import millrace.catalog.Category;
import millrace.catalog.Checked;
import millrace.catalog.Dataset;
import millrace.catalog.Entitlements;
import millrace.catalog.Limits;
import millrace.catalog.RequestValidator;
import millrace.contracts.Dialect;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A request body from its bytes to the request, its estimate or its errors. */
@State(Scope.Benchmark)
public class ValidationMicro {
    private static final Entitlements.Access ALL = new Entitlements.Access(
            Set.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));

    @Param({"5", "1000"})
    public int domains;

    private final RequestValidator validator = new RequestValidator(Limits.DEFAULT);
    private final Dataset dataset = Catalog.builtIn().dataset("demographics").orElseThrow();
    private final Entitlements entitlements =
            new Entitlements(Map.of(Category.WEB_DESKTOP, ALL, Category.WEB_MOBILE, ALL));
    private byte[] body = {};

    @Setup
    public void write() {
        String names = IntStream.range(0, domains)
                .mapToObj(i -> "\"site" + i * 7_919 % 100_003 + ".example\"")
                .collect(Collectors.joining(","));
        body = """
                {"domains":[%s],"countries":["US","GB","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2025-01","end_date":"2025-10","granularity":"monthly"}""".formatted(names).getBytes(StandardCharsets.UTF_8);
        if (!(validate() instanceof Checked.Valid)) {
            throw new IllegalStateException("not valid: " + validate());
        }
    }

    @Benchmark
    public Checked validate() {
        return validator.validate(dataset, body, entitlements, Dialect.V3);
    }
}
