package millrace.catalog.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.TestRequests;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportQuery.Split;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportSplitTest {
    private static final Dataset DEMOGRAPHICS = TestRequests.dataset("demographics");

    /** A domain has 36 rows, so that 277 of them have 9,972. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 'split':{'max_rows':10000} | 1",
                "277 | 'split':{'max_rows':10000} | 1",
                "278 | 'split':{'max_rows':10000} | 2",
                "554 | 'split':{'max_rows':10000} | 2",
                "555 | 'split':{'max_rows':10000} | 3",
                "555 | 'split':{'max_rows':10008} | 2",
                "1000 | 'split':{'max_rows':10000},'limit':10000 | 1",
                "1000 | 'split':{'max_rows':10000},'limit':10001 | 4",
                "10 | 'num_of_files':1 | 1",
                "10 | 'num_of_files':3 | 3",
                "4 | 'num_of_files':3 | 2",
                "2 | 'num_of_files':1000 | 2",
                "10 | 'num_of_files':3,'limit':1 | 1",
            })
    void aFileHasAsManyEntitiesAsCanHaveItsRows(int domains, String fields, int parts) {
        ReportQuery query = query(domains, fields);
        assertThat(query.parts()).isEqualTo(parts);
        assertThat(ReportSplit.again(DEMOGRAPHICS, query)).contains(query);
    }

    @Test
    void withoutASplitThereIsNone() {
        ReportQuery query = query(1_000, "'limit':1000000");
        assertThat(query.split()).isNull();
        assertThat(ReportSplit.again(DEMOGRAPHICS, query)).contains(query);
    }

    /** Parts differ by one entity at most. */
    @Test
    void noFileCanHaveMoreRows() {
        ReportQuery query = query(2_999, "'split':{'max_rows':12345}");
        assertThat(Math.ceilDiv(2_999, query.parts()) * 36L).isLessThanOrEqualTo(12_345);
        assertThat(Math.ceilDiv(2_999, query.parts() - 1) * 36L).isGreaterThan(12_345);
    }

    @Test
    void aReportHasAtMostAThousandFiles() {
        ReportQuery query = query(300_001, "'num_of_files':1000");
        long least = ReportSplit.least(DEMOGRAPHICS, query);
        assertThat(least).isEqualTo(301 * 36);
        assertThat(ReportSplit.of(DEMOGRAPHICS, query, least).parts()).isLessThanOrEqualTo(Split.MOST_PARTS);
        assertThat(ReportSplit.again(DEMOGRAPHICS, query.withSplit(new Split(least - 1, 1))))
                .isEmpty();
    }

    private static ReportQuery query(int domains, String fields) {
        String change = "{\"domains\":["
                + first(domains).stream().map(name -> '"' + name + '"').collect(Collectors.joining(",")) + "],"
                + fields.replace('\'', '"') + "}";
        return TestRequests.query("demographics", change);
    }

    private static List<String> first(int domains) {
        return IntStream.range(0, domains).mapToObj(i -> "d" + i + ".com").toList();
    }
}
