package millrace.gateway.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_795_910_400_000L, Long.MAX_VALUE})
    void writesCursorsThatReadBack(long millis) {
        var cursor = new HistoryCursor(millis, new UUID(millis, ~millis));
        assertThat(HistoryCursor.parse(cursor.text())).contains(cursor);
    }
}
