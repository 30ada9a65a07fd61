package millrace.catalog.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import millrace.catalog.validation.RequestContext.SentBody;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery.Dates;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports that end with the newest period. The account's history ends with 2025-10-31, a Friday. */
class OpenEndTest {
    private static final SentBody START_MAY_BE_ALONE = new SentBody((field, path) -> field, List.of(), 0, true);

    @ParameterizedTest
    @CsvSource({
        "demographics, monthly, 2025-01, 2025-08-01, 2025-01-01, 2025-08-01",
        "demographics, monthly, 2025-01, 2026-08-01, 2025-01-01, 2025-10-01",
        "demographics, monthly, , 2025-08-01, 2025-08-01, 2025-08-01",
        "traffic_and_engagement, daily, 2025-10-02, 2025-10-30, 2025-10-02, 2025-10-30",
        "traffic_and_engagement, weekly, 2025-09-03, 2025-10-27, 2025-09-08, 2025-10-20",
        "traffic_and_engagement, daily, , 2026-10-30, 2025-10-31, 2025-10-31",
        // Whatever day windows begin on, one of them begins in seven days.
        "site_keywords, 7days, , 2025-10-22, 2025-10-16, 2025-10-22",
        "site_keywords, 7days, 2025-10-01, 2025-10-22, 2025-10-01, 2025-10-22",
    })
    void endWithTheLastPeriodOfDataAndHistory(
            String dataset,
            String granularity,
            @Nullable String start,
            LocalDate lastOfData,
            LocalDate first,
            LocalDate last) {
        String body = body(dataset, granularity, start, "\"latest\":true");
        CheckedRequest.Valid valid = valid(dataset, body, lastOfData, SentBody.V3);
        assertThat(valid.request().query().dates())
                .isEqualTo(new Dates(Granularity.of(granularity).orElseThrow(), first, last));
        assertThat(valid.warnings())
                .filteredOn(w -> !w.startsWith("estimate") && !w.contains("not a range of whole weekly periods"))
                .isEmpty();
        assertThat(valid.openEnd()).isNotNull();
    }

    /** The data end with 2025-10-22, a Wednesday, or with September. */
    @ParameterizedTest
    @CsvSource({
        "demographics, monthly, '\"window_size\":\"3m\"', 2025-07-01, 2025-09-01",
        "demographics, monthly, '\"window_size\":\"1y\",\"latest\":true', 2024-10-01, 2025-09-01",
        "demographics, monthly, '\"window_size\":\"1m\"', 2025-09-01, 2025-09-01",
        "demographics, monthly, '\"all_history\":true', 2023-01-01, 2025-09-01",
        "demographics, monthly, '\"all_history\":true,\"window_size\":null', 2023-01-01, 2025-09-01",
        "traffic_and_engagement, daily, '\"window_size\":\"28d\"', 2025-09-25, 2025-10-22",
        "traffic_and_engagement, daily, '\"window_size\":\"1m\"', 2025-09-23, 2025-10-22",
        "traffic_and_engagement, weekly, '\"window_size\":\"12w\"', 2025-07-28, 2025-10-13",
        "traffic_and_engagement, weekly, '\"window_size\":\"1m\"', 2025-09-22, 2025-10-13",
        "site_keywords, 7days, '\"window_size\":\"3w\"', 2025-10-02, 2025-10-22",
    })
    void aWindowEndsWithTheNewestPeriod(
            String dataset, String granularity, String fields, LocalDate first, LocalDate last) {
        LocalDate newest =
                switch (granularity) {
                    case "monthly" -> LocalDate.parse("2025-09-01");
                    case "weekly" -> LocalDate.parse("2025-10-13");
                    default -> LocalDate.parse("2025-10-22");
                };
        CheckedRequest.Valid valid = valid(dataset, body(dataset, granularity, null, fields), newest, SentBody.V3);
        assertThat(valid.request().query().dates())
                .isEqualTo(new Dates(Granularity.of(granularity).orElseThrow(), first, last));
        assertThat(valid.openEnd()).isNotNull();
        assertThat(valid.changes()).isEmpty();
    }

    /** So that an Idempotency-Key stands for the same request a month later, unless its dates say all. */
    @Test
    void aWindowBeforeAnEndIsARequestWithDates() {
        LocalDate newest = LocalDate.parse("2025-09-01");
        String end = ",\"end_date\":\"2025-06\"";
        String window = body("demographics", "monthly", null, "\"window_size\":\"3m\"" + end);
        CheckedRequest.Valid valid = valid("demographics", window, newest, SentBody.V3);
        assertThat(valid.request().query().dates())
                .isEqualTo(
                        new Dates(Granularity.MONTHLY, LocalDate.parse("2025-04-01"), LocalDate.parse("2025-06-01")));
        assertThat(valid.openEnd()).isNull();

        String all = body("demographics", "monthly", null, "\"all_history\":true" + end);
        assertThat(valid("demographics", all, newest, SentBody.V3).openEnd())
                .isEqualTo(new CheckedRequest.OpenEnd(null, "all", LocalDate.parse("2025-06-01")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"window_size\":\"0m\" | window_size: \"0m\" is not a window of this form; accepted: a number from 1 to 9999 and d, w, m or y, for example 28d, 12w, 3m or 1y",
                "\"window_size\":\"3x\" | window_size: \"3x\" is not a window of this form; accepted: a number from 1 to 9999 and d, w, m or y, for example 28d, 12w, 3m or 1y",
                "\"window_size\":\"60d\" | window_size: holds no whole monthly period; accepted: for example 3m",
                "\"window_size\":\"3m\",\"all_history\":true | window_size: says where the report begins, as all_history does; accepted: one of the two",
                "\"window_size\":\"100y\" | window_size: the first monthly period, 1925-10, is before the history of this account in web_desktop_data and web_mobile_data; accepted: 2023-01 to 2025-10",
                "\"all_history\":true,\"end_date\":\"2020-01\" | end_date: 2020-01 is before the history of this account; accepted: 2023-01 or later",
            })
    void aWindowThatIsWrongIsExplained(String fields, String error) {
        String body = body("demographics", "monthly", null, fields);
        assertThat(check("demographics", body, LocalDate.parse("2025-09-01"), SentBody.V3))
                .isInstanceOfSatisfying(CheckedRequest.Invalid.class, invalid -> assertThat(invalid.errors())
                        .containsExactly(error));
    }

    @Test
    void aWindowAndAStartAreTwoBeginnings() {
        String body = body("demographics", "monthly", "2025-01", "\"window_size\":\"3m\"");
        assertThat(check("demographics", body, LocalDate.parse("2025-09-01"), SentBody.V3))
                .isInstanceOfSatisfying(
                        CheckedRequest.Invalid.class,
                        invalid -> assertThat(invalid.errors())
                                .containsExactly(
                                        "start_date: says where the report begins, as window_size does; accepted: one of the two"));
    }

    @Test
    void latestOverridesTheEndAndSaysSo() {
        String body = body("demographics", "monthly", "2025-01", "\"latest\":true,\"end_date\":\"2025-03\"");
        CheckedRequest.Valid valid = valid("demographics", body, LocalDate.parse("2025-08-01"), SentBody.V3);
        assertThat(valid.request().query().dates().last()).isEqualTo(LocalDate.parse("2025-08-01"));
        assertThat(valid.warnings())
                .containsExactly("end_date: latest is true, so the report ends with 2025-08 instead");
        assertThat(valid.changes()).isEqualTo(valid.warnings());
    }

    @Test
    void whereTheDataAreNotKnownTheHistoryCounts() {
        String body = body("demographics", "monthly", "2025-01", "\"latest\":true");
        CheckedRequest.Valid valid = valid("demographics", body, null, SentBody.V3);
        assertThat(valid.request().query().dates().last()).isEqualTo(LocalDate.parse("2025-10-01"));
        assertThat(valid.warnings())
                .containsExactly("latest: no monthly period of the data is known at the moment, so the report ends with"
                        + " the history of this account, 2025-10");
        assertThat(valid.changes()).isEqualTo(valid.warnings());
    }

    @Test
    void aStartAloneMeansTheSameOnlyWhereTheBodyIsNotOfV3() {
        String body = body("demographics", "monthly", "2025-01", "\"latest\":false");
        LocalDate lastOfData = LocalDate.parse("2025-08-01");
        CheckedRequest.Valid valid = valid("demographics", body, lastOfData, START_MAY_BE_ALONE);
        assertThat(valid.request().query().dates().last()).isEqualTo(lastOfData);
        assertThat(valid.openEnd()).isEqualTo(CheckedRequest.OpenEnd.from(LocalDate.parse("2025-01-01")));
        assertThat(check("demographics", body, lastOfData, SentBody.V3))
                .isInstanceOfSatisfying(CheckedRequest.Invalid.class, invalid -> assertThat(invalid.errors())
                        .containsExactly("end_date: is missing; accepted: YYYY-MM or YYYY-MM-DD"));
    }

    @Test
    void withoutAnyDateAndLatestBothAreMissing() {
        assertThat(check(
                        "demographics",
                        body("demographics", "monthly", null, "\"latest\":false"),
                        null,
                        START_MAY_BE_ALONE))
                .isInstanceOfSatisfying(CheckedRequest.Invalid.class, invalid -> assertThat(invalid.errors())
                        .hasSize(2));
    }

    @Test
    void newDataBeforeTheHistoryAreRefused() {
        String body = body("demographics", "monthly", null, "\"latest\":true");
        assertThat(check("demographics", body, LocalDate.parse("2022-08-01"), SentBody.V3))
                .isInstanceOfSatisfying(CheckedRequest.Invalid.class, invalid -> assertThat(invalid.errors())
                        .hasSize(1)
                        .first()
                        .asString()
                        .startsWith("start_date: the first monthly period, 2022-08, is before the history"));
    }

    private static String body(String dataset, String granularity, @Nullable String start, String more) {
        String change = "{\"granularity\":\"" + granularity + "\",\"end_date\":null,\"start_date\":"
                + (start == null ? "null" : "\"" + start + "\"") + "}";
        return TestRequests.body(dataset, change).replaceFirst("\\{", "{" + more + ",");
    }

    private static CheckedRequest.Valid valid(
            String dataset, String body, @Nullable LocalDate lastOfData, SentBody sent) {
        CheckedRequest checked = check(dataset, body, lastOfData, sent);
        assertThat(checked).as(checked.toString()).isInstanceOf(CheckedRequest.Valid.class);
        return (CheckedRequest.Valid) checked;
    }

    private static CheckedRequest check(String dataset, String body, @Nullable LocalDate lastOfData, SentBody sent) {
        var context = new RequestContext(
                TestRequests.ALL, ApiDialect.V3, granularity -> Optional.ofNullable(lastOfData), sent);
        return new RequestValidator(RequestLimits.DEFAULT)
                .validate(
                        TestRequests.dataset(dataset),
                        new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                        context);
    }
}
