package millrace.gateway.api.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import millrace.catalog.Catalog;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.contracts.Json;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
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
        Map<CapabilityCategory, Entitlements.Access> everything = new EnumMap<>(CapabilityCategory.class);
        for (CapabilityCategory category : CapabilityCategory.values()) {
            everything.put(category, new Entitlements.Access(Set.of("DE"), TODAY.minusYears(3), TODAY.minusDays(1)));
        }
        byte[] body = Json.bytes(ExampleRequest.of(dataset, Optional.of(query), TODAY));
        CheckedRequest checked = new RequestValidator(RequestLimits.DEFAULT)
                .validate(dataset, body, new Entitlements(everything), ApiDialect.V3);
        if (checked instanceof CheckedRequest.Valid valid) {
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
