package millrace.gateway.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.time.YearMonth;
import millrace.catalog.Dataset;
import millrace.catalog.EntityField;
import millrace.catalog.Filter;
import millrace.catalog.Metric;
import millrace.contracts.Granularity;
import millrace.contracts.Json;

/** A valid request for a dataset, for documentation. */
public final class ExampleRequest {
    private static final int METRICS = 2;
    private static final int DAYS = 14;

    private ExampleRequest() {}

    /** @param today the request asks for periods that ended before it, some weeks or months ago */
    public static ObjectNode of(Dataset dataset, LocalDate today) {
        Metric first = dataset.metrics().getFirst();
        Granularity granularity = first.granularities().getFirst();
        ObjectNode example = Json.MAPPER.createObjectNode();
        ArrayNode entities = example.putArray(dataset.entity().field());
        switch (dataset.entity().kind()) {
            case DOMAIN -> entities.add("example.com").add("example.org");
            case KEYWORD -> entities.add("running shoes").add("trail shoes");
        }
        example.putArray("countries").add("US");
        dataset.filters().stream().filter(f -> f.kind() == Filter.Kind.CHOICE).forEach(f -> example.putArray(f.field())
                .add(f.values().getFirst()));
        ArrayNode metrics = example.putArray("metrics");
        dataset.metrics().stream()
                .filter(m -> m.granularities().contains(granularity))
                .limit(METRICS)
                .forEach(m -> metrics.add(m.name()));
        dates(example, granularity, today);
        example.put("granularity", granularity.word());
        if (dataset.entity().kind() == EntityField.Kind.DOMAIN) {
            example.put("subdomains", false);
        }
        return example.put("delivery_method", "download_link").put("response_format", "csv");
    }

    private static void dates(ObjectNode example, Granularity granularity, LocalDate today) {
        YearMonth lastMonth = YearMonth.from(today).minusMonths(2);
        LocalDate lastDay = today.minusDays(DAYS);
        switch (granularity) {
            case MONTHLY ->
                example.put("start_date", lastMonth.minusMonths(2).toString()).put("end_date", lastMonth.toString());
            case DAILY, WEEKLY, SEVEN_DAYS ->
                example.put("start_date", lastDay.minusDays(DAYS).toString()).put("end_date", lastDay.toString());
        }
    }
}
