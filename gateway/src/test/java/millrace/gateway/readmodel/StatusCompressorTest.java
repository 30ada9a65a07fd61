package millrace.gateway.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import millrace.catalog.text.Text;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusCompressorTest {
    private final StatusCompressor compressor = new StatusCompressor();

    @Test
    void givesBackWhatItPacked() {
        for (ReportStatus status : new ReportStatus[] {
            SampleRecords.processing(1, 1, 1),
            SampleRecords.complete(2, 1, 2),
            SampleRecords.failed(3, 4, 9, ErrorCode.CANCELLED)
        }) {
            assertThat(StatusCompressor.decompress(compressor.compress(status))).isEqualTo(status);
        }
    }

    @Test
    void needsAThirdOfTheRoom() {
        ReportStatus status = SampleRecords.complete(1, 1, 2);
        assertThat(compressor.compress(status).length).isLessThan(Topics.REPORT_STATUS.encode(status).length / 3);
    }

    /** Every gateway has it in memory for 400 days of each report that has them. */
    @ParameterizedTest
    @CsvSource({"0x61, 0x7a, 500", "0x20000, 0x2a6df, 1050", "0xf0000, 0xffffd, 850"})
    void warningsTakeLittleRoom(int first, int last, int most) {
        ReportStatus without = SampleRecords.complete(1, 1, 2);
        var random = new Random(1);
        List<String> names = Stream.generate(() -> random.ints(41, first, last + 1)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append))
                .map(name -> Text.quoted(name.toString(), 40))
                .limit(3)
                .toList();
        ReportStatus with = new ReportStatus(
                without.accountId(),
                without.reportId(),
                without.dataset(),
                without.status(),
                without.dialect(),
                without.attempt(),
                without.sequence(),
                without.submittedAt(),
                without.updatedAt(),
                without.estimatedCredits(),
                without.progress(),
                without.result(),
                without.error(),
                without.receipt(),
                List.of(
                        "report_query.tables[0].end_date: latest is true, so the report ends with 2026-03 instead",
                        "report_query.tables[0].latest: no monthly period of the data is known at the moment, so the"
                                + " report ends with the history of this account, 2026-03",
                        "delivery_information.webhook_url: has no scheme, so it is taken as https",
                        "9,876 of the first 10,000 keywords are not in the data: " + String.join(", ", names)
                                + " and 9,873 more.",
                        "The data begin with 2025-01; earlier periods have no rows.",
                        "The data end with 2026-06; later periods have no rows."),
                without.reportName());
        assertThat(compressor.compress(with).length - compressor.compress(without).length)
                .isBetween(100, most);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_795_910_400_000L, Long.MAX_VALUE})
    void writesCursorsThatReadBack(long millis) {
        var cursor = new HistoryCursor(millis, new UUID(millis, ~millis));
        assertThat(HistoryCursor.parse(cursor.text())).contains(cursor);
    }
}
