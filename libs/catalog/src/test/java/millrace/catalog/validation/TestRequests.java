package millrace.catalog.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import millrace.catalog.Catalog;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.Json;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.ReportQuery;

/** Requests for tests: a good one per dataset, and changes to it. */
public final class TestRequests {
    public static final Catalog CATALOG = Catalog.builtIn();
    public static final Entitlements.Access ACCESS = new Entitlements.Access(
            Set.of("US", "GB", "WW"), LocalDate.parse("2023-01-01"), LocalDate.parse("2025-10-31"));

    /** Desktop and mobile alike. */
    public static final Entitlements ALL =
            new Entitlements(Map.of(CapabilityCategory.WEB_DESKTOP, ACCESS, CapabilityCategory.WEB_MOBILE, ACCESS));

    private static final Map<String, String> GOOD = Map.of(
            "demographics",
            """
            {"domains":["a.com"],"countries":["US"],"metrics":["demographics_share"],"start_date":"2025-01",
             "end_date":"2025-03","granularity":"monthly"}""",
            "audience_interests",
            """
            {"domains":["a.com"],"countries":["US"],"metrics":["desktop_audience_interests_affinity"],
             "start_date":"2025-01","end_date":"2025-03","granularity":"monthly"}""",
            "keywords",
            """
            {"keywords":["shoes"],"countries":["US"],"metrics":["all_keyword_cpc"],"start_date":"2025-01-01",
             "end_date":"2025-03-31","granularity":"monthly"}""",
            "site_keywords",
            """
            {"domains":["a.com"],"countries":["US"],"metrics":["desktop_keywords_total_visits"],
             "start_date":"2025-09-01","end_date":"2025-10-05","granularity":"weekly"}""",
            "traffic_and_engagement",
            """
            {"domains":["a.com"],"metrics":["category_sales_performance_cvr"],"start_date":"2025-09-01",
             "end_date":"2025-09-30","granularity":"daily"}""");

    private TestRequests() {}

    public static Dataset dataset(String name) {
        return CATALOG.dataset(name).orElseThrow();
    }

    /** The good body with the fields of a JSON object put over it; a null takes the field out. */
    public static String body(String dataset, String change) {
        try {
            ObjectNode body = (ObjectNode) Json.MAPPER.readTree(GOOD.get(dataset));
            Json.MAPPER.readTree(change).properties().forEach(field -> {
                if (field.getValue().isNull()) {
                    body.remove(field.getKey());
                } else {
                    body.set(field.getKey(), field.getValue());
                }
            });
            return body.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(change, e);
        }
    }

    static CheckedRequest check(String dataset, String body) {
        return check(dataset, body, ALL);
    }

    public static CheckedRequest check(String dataset, String body, Entitlements entitlements) {
        return new RequestValidator(RequestLimits.DEFAULT)
                .validate(dataset(dataset), body.getBytes(StandardCharsets.UTF_8), entitlements, ApiDialect.V3);
    }

    public static CheckedRequest.Valid valid(String dataset, String body) {
        CheckedRequest checked = check(dataset, body);
        assertThat(checked).as(body).isInstanceOf(CheckedRequest.Valid.class);
        return (CheckedRequest.Valid) checked;
    }

    /** The query of the good request with a change. */
    public static ReportQuery query(String dataset, String change) {
        return valid(dataset, body(dataset, change)).request().query();
    }

    public static Entitlements only(CapabilityCategory... categories) {
        Map<CapabilityCategory, Entitlements.Access> granted = new EnumMap<>(CapabilityCategory.class);
        for (CapabilityCategory category : categories) {
            granted.put(category, ACCESS);
        }
        return new Entitlements(granted);
    }
}
