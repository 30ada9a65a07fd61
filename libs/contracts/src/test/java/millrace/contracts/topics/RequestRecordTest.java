package millrace.contracts.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import millrace.contracts.Hashes;
import millrace.contracts.commands.AccountCommand.Idempotency;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRecordTest {
    @ParameterizedTest
    @CsvSource({
        "2026-11-02T08:15:30.120Z, , 1793607330120",
        "2026-11-02T08:15:30.120Z, 845d644079d14125964eeaef0d6923e5, 1793607330120 845d644079d14125964eeaef0d6923e5",
        "1970-01-01T00:00:00Z, 00000000000000000000000000000001, 0 00000000000000000000000000000001",
    })
    void isAHeader(Instant writtenAt, @Nullable String key, String text) {
        var record = new RequestRecord(writtenAt, key);
        var headers = new RecordHeaders();
        record.addTo(headers);
        assertThat(headers.lastHeader("millrace.request").value()).asString().isEqualTo(text);
        assertThat(RequestRecord.in(headers)).isEqualTo(record);
    }

    @Test
    void hasHalfOfTheHashOfTheIdempotencyKey() {
        String hash = Hashes.sha256("my key");
        RequestRecord record = RequestRecord.of(new Idempotency(hash, Hashes.sha256("request")), Instant.EPOCH);
        assertThat(record.key()).hasSize(32);
        assertThat(hash).startsWith(record.key());
        assertThat(RequestRecord.of(null, Instant.EPOCH)).isEqualTo(new RequestRecord(Instant.EPOCH, null));
    }

    @Test
    void isNotThereInStatusesOfEarlierBuilds() {
        assertThat(RequestRecord.in(new RecordHeaders())).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "2026-11-02", "1 ", "1 x", "x 845d644079d14125964eeaef0d6923e5"})
    void refusesWhatItCannotRead(String text) {
        var headers = new RecordHeaders();
        headers.add(RequestRecord.HEADER, text.getBytes(StandardCharsets.US_ASCII));
        assertThatIllegalArgumentException().isThrownBy(() -> RequestRecord.in(headers));
    }
}
