package millrace.catalog.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.validation.TestRequests;
import millrace.contracts.accounts.Quote;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.jspecify.annotations.Nullable;

class ReportEstimateBoundsTest {

    /** The size of a query, by which it is made. */
    record Size(int dataset, int entities, int countries, int metrics, int days, int limit) {
        Dataset of() {
            return List.copyOf(TestRequests.CATALOG.datasets()).get(dataset);
        }

        ReportQuery query() {
            return query(limit == 0 ? null : limit);
        }

        ReportQuery query(@Nullable Integer rows) {
            Granularity granularity = of().granularities().iterator().next();
            LocalDate first = Periods.onOrAfter(granularity, LocalDate.parse("2024-01-01"));
            LocalDate last = Periods.onOrBefore(granularity, first.plusDays(days));
            return new ReportQuery(
                    of().name(),
                    names("e", entities),
                    names("C", countries),
                    of().metrics().stream()
                            .limit(metrics)
                            .map(DatasetMetric::name)
                            .toList(),
                    new ReportQuery.Dates(granularity, first, last),
                    Map.of(),
                    false,
                    rows,
                    ReportQuery.Output.CSV);
        }

        Quote quote() {
            return ReportEstimate.quote(of(), query());
        }
    }

    @Property
    void neverBelowThePriceOfWhatTheReportCanHold(
            @ForAll("sizes") Size size,
            @ForAll @DoubleRange(max = 1) double rows,
            @ForAll @DoubleRange(max = 1) double present,
            @ForAll @DoubleRange(max = 1) double revealed) {
        Quote quote = size.quote();
        long written = (long) (quote.rows() * rows);
        var counts = new ResultCounts(
                written,
                (long) (written * size.query().metrics().size() * present),
                size.of().countsRevealed(size.query()) ? (long) (written * revealed) : 0);
        assertThat(quote.rule().price(counts)).isBetween(0L, quote.credits());
    }

    @Property
    void exactlyThePriceOfAFullReport(@ForAll("sizes") Size size) {
        Quote quote = size.quote();
        long results = quote.rows() * size.query().metrics().size();
        long revealed = size.of().countsRevealed(size.query()) ? quote.rows() : 0;
        assertThat(quote.credits()).isEqualTo(quote.rule().price(new ResultCounts(quote.rows(), results, revealed)));
    }

    /** What the known entities cost is what a report of them alone would. */
    @Property
    void countsTheKnownEntitiesOnly(@ForAll("sizes") Size size, @ForAll @DoubleRange(max = 1) double known) {
        int there = (int) (size.entities * known);
        Quote partly = ReportEstimate.quote(size.of(), size.query(), there);
        Size alone = new Size(size.dataset, there, size.countries, size.metrics, size.days, size.limit);
        assertThat(partly).isEqualTo(alone.quote());
        assertThat(partly.credits()).isLessThanOrEqualTo(size.quote().credits());
        assertThat(ReportEstimate.quote(size.of(), size.query(), size.entities)).isEqualTo(size.quote());
        assertThat(ReportEstimate.quote(size.of(), size.query(), 0).credits()).isZero();
    }

    @Property
    void growsWithEverything(@ForAll("sizes") Size size) {
        long credits = size.quote().credits();
        List<Size> larger = new ArrayList<>();
        larger.add(new Size(size.dataset, size.entities + 1, size.countries, size.metrics, size.days, size.limit));
        larger.add(new Size(size.dataset, size.entities, size.countries + 1, size.metrics, size.days, size.limit));
        larger.add(new Size(size.dataset, size.entities, size.countries, size.metrics + 1, size.days, size.limit));
        larger.add(new Size(size.dataset, size.entities, size.countries, size.metrics, size.days + 31, size.limit));
        larger.add(new Size(
                size.dataset,
                size.entities,
                size.countries,
                size.metrics,
                size.days,
                size.limit == 0 ? 0 : size.limit + 1));
        assertThat(larger).allSatisfy(l -> assertThat(l.quote().credits()).isGreaterThanOrEqualTo(credits));
    }

    @Property
    void aLimitNeverMakesItDearer(@ForAll("sizes") Size size) {
        Quote limited = ReportEstimate.quote(size.of(), size.query());
        Quote open = ReportEstimate.quote(size.of(), size.query(null));
        assertThat(limited.credits()).isLessThanOrEqualTo(open.credits());
        assertThat(limited.rows()).isLessThanOrEqualTo(open.rows());
    }

    /** Rounding up happens once per report, so asking for entities one by one is never cheaper. */
    @Property
    void isAtMostTheSumOfItsEntities(@ForAll("sizes") Size size) {
        ReportQuery query = size.query();
        long parts = query.entities().stream()
                .mapToLong(e -> ReportEstimate.quote(size.of(), query.withEntities(List.of(e)))
                        .credits())
                .sum();
        assertThat(size.quote().credits()).isLessThanOrEqualTo(parts);
    }

    @Provide
    Arbitrary<Size> sizes() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(1, 50),
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.integers().between(1, 12),
                        Arbitraries.integers().between(6, 400),
                        Arbitraries.integers().between(0, 3_000))
                .as(Size::new);
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }
}
