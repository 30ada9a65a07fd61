package millrace.contracts.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import millrace.contracts.Json;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeTest {
    /** As builds wrote it that did not know outcomes. */
    private static final String EARLIER = """
            {"account_id":"acme","report_id":"845d6440-79d1-4125-964e-eaef0d6923e5","dataset":"demographics",\
            "status":"internal_error","dialect":"v3","attempt":1,"sequence":2,"submitted_at":"2026-11-02T08:15:30.120Z",\
            "updated_at":"2026-11-02T08:15:30.250Z","estimated_credits":208,\
            "error":{"code":"cancelled","message":"cancelled on request","retryable":true},\
            "receipt":{"reserved":208,"charged":0,"released":208,"price_rule":"1 credit per result","entry_ids":[]}}""";

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void whatItsClientCancelledHasNotFailed(ErrorCode code) {
        ReportStatus ended = earlier(EARLIER.replace("\"code\":\"cancelled\"", "\"code\":" + Json.text(code)));
        Outcome outcome = code == ErrorCode.CANCELLED ? Outcome.CANCELLED : Outcome.FAILED;
        assertThat(ended.outcome()).isEqualTo(outcome);
        assertThat(ended.started(2, Instant.EPOCH).outcome()).isNull();
        String word = "\"outcome\":\"" + outcome.word() + "\"";
        assertThat(new String(Topics.REPORT_STATUS.encode(ended), StandardCharsets.UTF_8))
                .contains("\"status\":\"internal_error\"", word);
        assertThat(Json.text(StatusResponse.of(ended, null, Instant.EPOCH))).contains(word);
        assertThat(Json.text(StatusResponse.inHistory(ended, null, Instant.EPOCH)))
                .contains(word);
        assertThat(Json.text(StatusResponse.inWebhook(ended, null))).contains(word);
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyErrorSaysWhatToDo(ErrorCode code) {
        String error = "\"code\":" + Json.text(code) + ",\"message\":\"m\",\"retryable\":";
        ReportStatus last = earlier(EARLIER.replaceFirst("\"code\":.*\"retryable\":true", error + "false"));
        assertThat(Objects.requireNonNull(last.error()).advice()).endsWith(".").doesNotStartWith("Retry");
        ReportStatus first = earlier(EARLIER.replaceFirst("\"code\":.*\"retryable\":true", error + code.retryable()));
        assertThat(Objects.requireNonNull(first.error()).advice().startsWith("Retry"))
                .isEqualTo(code.retryable());
    }

    @Test
    void clientsAreNotToldWhatWasThrown() {
        ReportStatus ended = earlier(EARLIER.replace("\"retryable\":true", "\"retryable\":true,\"cause\":\"secret\""));
        assertThat(Objects.requireNonNull(ended.error()).cause()).isEqualTo("secret");
        assertThat(Json.text(StatusResponse.of(ended, null, Instant.EPOCH))).doesNotContain("secret");
        assertThat(Json.text(StatusResponse.inHistory(ended, null, Instant.EPOCH)))
                .doesNotContain("secret");
        assertThat(Json.text(StatusResponse.inWebhook(ended, null))).doesNotContain("secret");
    }

    private static ReportStatus earlier(String json) {
        return Topics.REPORT_STATUS.decode(json.getBytes(StandardCharsets.UTF_8));
    }
}
