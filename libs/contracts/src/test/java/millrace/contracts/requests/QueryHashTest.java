package millrace.contracts.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.requests.ReportQuery.Dates;
import millrace.contracts.requests.ReportQuery.Output;
import millrace.contracts.requests.ReportQuery.Split;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueryHashTest {
    private static final Dates DATES =
            new Dates(Granularity.MONTHLY, LocalDate.parse("2026-08-01"), LocalDate.parse("2026-10-01"));
    private static final ReportQuery QUERY = query(List.of("bücher.example", "cnn.com"), Output.CSV, null);

    /** As the guide for customers describes it, so that others can compute it. */
    @Test
    void theHashIsThatOfTheCanonicalJson() {
        String entities = Hashes.sha256("bücher.example\ncnn.com");
        String ages = Hashes.sha256("18-24\n25-34");
        assertThat(QueryHash.of(QUERY))
                .isEqualTo(
                        Hashes.sha256("{\"compression\":\"none\",\"countries\":[\"DE\",\"US\"],\"csv_safety\":\"none\","
                                + "\"dataset\":\"demographics\",\"entities_sha256\":\"" + entities
                                + "\",\"filters_sha256\":{\"age_group\":\"" + ages
                                + "\"},\"first_period\":\"2026-08-01\",\"granularity\":\"monthly\","
                                + "\"last_period\":\"2026-10-01\",\"limit\":null,\"metrics\":[\"visits\",\"share\"],"
                                + "\"offset\":0,\"response_format\":\"csv\",\"subdomains\":false}"));
    }

    @Test
    void namesInAListHaveTheHashThatTheyHaveInTheQuery() {
        byte[] file = String.join("\n", QUERY.entities()).getBytes(StandardCharsets.UTF_8);
        var list = new EntityList(2, file.length, Hashes.sha256(file), 1, List.of(0L, 16L));
        assertThat(QueryHash.of(QUERY.with(List.of("bücher.example"), list))).isEqualTo(QueryHash.of(QUERY));

        byte[] ages = "18-24\n25-34".getBytes(StandardCharsets.UTF_8);
        var listed = Map.of("age_group", new FilterList(2, ages.length, Hashes.sha256(ages)));
        assertThat(QueryHash.of(QUERY.withFilters(Map.of("age_group", List.of("18-24")), listed)))
                .isEqualTo(QueryHash.of(QUERY));
    }

    @Test
    void whateverChangesTheFileChangesTheHash() {
        var later = new Dates(Granularity.MONTHLY, DATES.first(), LocalDate.parse("2026-11-01"));
        var daily = new Dates(Granularity.DAILY, DATES.first(), DATES.last());
        List<UnaryOperator<ReportQuery>> changes = List.of(
                q -> q.withEntities(List.of("cnn.com")),
                q -> q.withEntities(List.of("bücher.examplecnn.com")),
                q -> q.withDates(later),
                q -> q.withDates(daily),
                q -> q.withOffset(1),
                q -> q.withSplit(new Split(10_000, 2)),
                q -> q.withSplit(new Split(10_000, 3)),
                q -> q.withFilters(Map.of(), null),
                q -> q.withFilters(Map.of("age_group", List.of("18-24")), null),
                q -> query(q.entities(), Output.CSV, 10),
                q -> query(q.entities(), new Output("download_link", "json", "none"), null),
                q -> query(q.entities(), new Output("download_link", "csv", "spreadsheet"), null),
                q -> query(q.entities(), new Output("download_link", "csv", "none", "gzip"), null));
        List<String> hashes =
                new ArrayList<>(Stream.concat(Stream.of(QUERY), changes.stream().map(change -> change.apply(QUERY)))
                        .map(QueryHash::of)
                        .toList());
        assertThat(hashes).doesNotHaveDuplicates();
    }

    /** The hash is about the bytes, which the number of parts decides. */
    @Test
    void aReportThatFitsIntoOnePartHasTheHashOfOneThatIsNotSplit() {
        assertThat(QueryHash.of(QUERY.withSplit(new Split(10_000, 1)))).isEqualTo(QueryHash.of(QUERY));
        assertThat(QueryHash.of(QUERY.withSplit(new Split(10_000, 2))))
                .isEqualTo(QueryHash.of(QUERY.withSplit(new Split(11_000, 2))));
    }

    private static ReportQuery query(List<String> entities, Output output, @Nullable Integer limit) {
        return new ReportQuery(
                "demographics",
                entities,
                List.of("DE", "US"),
                List.of("visits", "share"),
                DATES,
                Map.of("age_group", List.of("18-24", "25-34")),
                false,
                limit,
                output);
    }
}
