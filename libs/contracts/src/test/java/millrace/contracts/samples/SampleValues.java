package millrace.contracts.samples;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;

/** What the samples tell of: 2 domains, 2 countries, 4 metrics and 13 months, estimated at 208 credits, 190 of them used. */
public final class SampleValues {
    static final String ACCOUNT = "acme";
    public static final UUID REPORT = UUID.fromString("845d6440-79d1-4125-964e-eaef0d6923e5");
    static final String URL = "https://hooks.example.com/reports";
    public static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    public static final String HASH = Hashes.sha256("a report");

    static final ResultCounts COUNTS = new ResultCounts(52, 190, 0);
    public static final StoredFile PART = new StoredFile(REPORT + "/1/0-1", 4321, HASH);

    public static final ReportQuery QUERY = new ReportQuery(
            "demographics",
            List.of("example.com", "example.org"),
            List.of("GB", "US"),
            List.of(
                    "demographics_share",
                    "demographics_avg_visit_duration",
                    "demographics_bounce_rate",
                    "demographics_pages_per_visit"),
            new ReportQuery.Dates(Granularity.MONTHLY, day("2025-10-01"), day("2026-10-01")),
            Map.of("age_group", List.of("25-34")),
            true,
            null,
            ReportQuery.Output.CSV);

    static final ReportQuery COMPRESSED = new ReportQuery(
            QUERY.dataset(),
            QUERY.entities(),
            QUERY.countries(),
            QUERY.metrics(),
            QUERY.dates(),
            QUERY.filters(),
            true,
            null,
            new ReportQuery.Output("download_link", "json", "none", "gzip"));

    /** The same cut into two files, one for each domain. */
    static final ReportQuery SPLIT = QUERY.withSplit(new ReportQuery.Split(10_000, 2));

    static final List<ReportPart> PARTS = List.of(
            ReportPart.of("demographics", 1, "csv", 26, PART),
            ReportPart.of("demographics", 2, "csv", 26, new StoredFile(REPORT + "/1/1-1", 1234, HASH)));

    static final EntityList LIST = new EntityList(5, 59, HASH, 2, List.of(0L, 24L, 48L));

    static final Map<String, String> TAGS = Map.of("team", "seo", "client", "ACME & Söhne");

    static final List<String> WARNINGS = List.of("1 of 2 domains is not in the data: example.org.");

    static final ReportQuery FILTERED = query(
                    "site_keywords",
                    "desktop_keywords_total_visits",
                    Granularity.WEEKLY,
                    "2026-10-05",
                    "2026-10-26",
                    500)
            .withFilters(
                    Map.of(
                            "keyword",
                            List.of(
                                    "atlas",
                                    "board game",
                                    "bread",
                                    "cat food",
                                    "city map",
                                    "desk",
                                    "film",
                                    "guitar",
                                    "hotel",
                                    "lamp")),
                    Map.of("keyword", new FilterList(80_000, 1_039_999, HASH)));

    private SampleValues() {}

    public static Instant at(String time) {
        return Instant.parse("2026-11-02T" + time + "Z");
    }

    static LocalDate day(String day) {
        return LocalDate.parse(day);
    }

    static ReportQuery query(
            String dataset, String metric, Granularity granularity, String first, String last, int limit) {
        return new ReportQuery(
                dataset,
                QUERY.entities(),
                List.of("US"),
                List.of(metric),
                new ReportQuery.Dates(granularity, day(first), day(last)),
                Map.of(),
                false,
                limit,
                ReportQuery.Output.CSV);
    }
}
