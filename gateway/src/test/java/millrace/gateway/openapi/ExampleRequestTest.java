package millrace.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import millrace.catalog.Catalog;
import millrace.catalog.Category;
import millrace.catalog.Checked;
import millrace.catalog.Dataset;
import millrace.catalog.Entitlements;
import millrace.catalog.Limits;
import millrace.catalog.RequestValidator;
import millrace.contracts.Dialect;
import millrace.contracts.Granularity;
import millrace.contracts.Json;
import millrace.contracts.ReportQuery;
import millrace.contracts.ReportRequest;
import org.junit.jupiter.api.Test;

class ExampleRequestTest {
    private static final LocalDate TODAY = LocalDate.parse("2026-11-21");

    @Test
    void asksForWhatWasFound() {
        ReportQuery query = query(
                "demographics",
                List.of("demographics_share"),
                Map.of("age_group", List.of("18-24"), "gender", List.of("Male")),
                Granularity.MONTHLY,
                "2026-08-01",
                "2026-10-01");
        assertThat(valid(dataset("demographics"), query).query()).isEqualTo(query);
        ReportQuery weeks = query(
                "site_keywords",
                List.of("desktop_keywords_total_visits"),
                Map.of(),
                Granularity.WEEKLY,
                "2026-10-05",
                "2026-10-19");
        assertThat(valid(dataset("site_keywords"), weeks).query()).isEqualTo(weeks);
    }

    @Test
    void isMadeUpWhereTheQueryDoesNotFitTheCatalog() {
        Dataset dataset = dataset("keywords");
        ObjectNode madeUp = ExampleRequest.of(dataset, Optional.empty(), TODAY);
        assertThat(madeUp).isEqualTo(ExampleRequest.of(dataset, TODAY));
        ReportQuery metric =
                query("keywords", List.of("gone"), Map.of(), Granularity.MONTHLY, "2026-08-01", "2026-10-01");
        assertThat(ExampleRequest.of(dataset, Optional.of(metric), TODAY)).isEqualTo(madeUp);
        ReportQuery filter = query(
                "keywords",
                List.of("all_keyword_cpc"),
                Map.of("colour", List.of("red")),
                Granularity.MONTHLY,
                "2026-08-01",
                "2026-10-01");
        assertThat(ExampleRequest.of(dataset, Optional.of(filter), TODAY)).isEqualTo(madeUp);
    }

    private static ReportRequest valid(Dataset dataset, ReportQuery query) {
        Map<Category, Entitlements.Access> everything = new EnumMap<>(Category.class);
        for (Category category : Category.values()) {
            everything.put(category, new Entitlements.Access(Set.of("DE"), TODAY.minusYears(3), TODAY.minusDays(1)));
        }
        byte[] body = Json.bytes(ExampleRequest.of(dataset, Optional.of(query), TODAY));
        Checked checked =
                new RequestValidator(Limits.DEFAULT).validate(dataset, body, new Entitlements(everything), Dialect.V3);
        if (checked instanceof Checked.Valid valid) {
            return valid.request();
        }
        throw new AssertionError(checked.toString());
    }

    private static ReportQuery query(
            String dataset,
            List<String> metrics,
            Map<String, List<String>> filters,
            Granularity granularity,
            String first,
            String last) {
        return new ReportQuery(
                dataset,
                List.of("a.example", "b.example"),
                List.of("DE"),
                metrics,
                new ReportQuery.Dates(granularity, LocalDate.parse(first), LocalDate.parse(last)),
                filters,
                false,
                null,
                ReportQuery.Output.CSV);
    }

    private static Dataset dataset(String name) {
        return Catalog.builtIn().dataset(name).orElseThrow();
    }
}
