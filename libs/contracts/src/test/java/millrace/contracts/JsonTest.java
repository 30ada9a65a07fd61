package millrace.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static final String GRANT = "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"amount\":5,\"reason\":\"r\"}";

    @Test
    void readsAndWritesAMessage() {
        AccountCommand read = Topics.ACCOUNT_COMMANDS.decode(GRANT.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(read).isEqualTo(new AccountCommand.GrantCredits("g", 5, "r"));
        assertThat(Json.text(read)).isEqualTo(GRANT);
    }

    @Test
    void leavesNullsOutAndReadsThemBack() {
        var command = new AccountCommand.RetryReport(new UUID(1, 2), 2);
        assertThat(Topics.ACCOUNT_COMMANDS.decode(Topics.ACCOUNT_COMMANDS.encode(command)))
                .isEqualTo(command);
    }

    @Test
    void toleratesUnknownFieldsBecauseAddingOneIsCompatible() {
        assertThat(decode(GRANT.replace("}", ",\"new\":1}"))).isEqualTo(new AccountCommand.GrantCredits("g", 5, "r"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"amount\":5}",
                "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"reason\":\"r\"}",
                "{\"type\":\"grant_credits\",\"grant_id\":null,\"amount\":5,\"reason\":\"r\"}",
                "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"amount\":\"5\",\"reason\":\"r\"}",
                "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"amount\":5.5,\"reason\":\"r\"}",
                "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"grant_id\":\"g\",\"amount\":5,\"reason\":\"r\"}",
                "{\"type\":\"no_such\",\"grant_id\":\"g\",\"amount\":5,\"reason\":\"r\"}",
                "{\"type\":\"grant_credits\",\"grant_id\":\"g\",\"amount\":5,\"reason\":\"r\"} x",
                "[]",
                "",
            })
    void refusesWhatIsNotTheMessage(String text) {
        assertThatThrownBy(() -> decode(text)).isInstanceOf(SerializationException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-02T08:15:30.120999Z, 2026-11-02T08:15:30.120Z",
        "2024-02-29T23:59:59.999Z,    2024-02-29T23:59:59.999Z",
        "2000-01-01T00:00:00Z,        2000-01-01T00:00:00.000Z",
        "1969-12-31T23:59:59.001Z,    1969-12-31T23:59:59.001Z",
        "0007-08-09T10:11:12.003Z,    0007-08-09T10:11:12.003Z",
        "9999-12-31T23:59:59.999Z,    9999-12-31T23:59:59.999Z",
        "+10000-01-01T00:00:00Z,      +10000-01-01T00:00:00.000Z",
        "-0001-01-01T00:00:00Z,       -0001-01-01T00:00:00.000Z",
    })
    void timesAreInUtcWithMilliseconds(Instant instant, String text) throws JsonProcessingException {
        assertThat(Json.format(instant)).isEqualTo(text);
        assertThat(Json.text(instant)).isEqualTo("\"" + text + "\"");
        assertThat(Instant.parse(text)).isEqualTo(instant.truncatedTo(ChronoUnit.MILLIS));
        assertThat(instant("\"" + text + "\"")).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-02T08:15:30.120999Z",
                "2026-11-02T08:15:30Z",
                "2026-11-02T08:15:30.120+01:00",
                "2026-11-02T24:00:00.000Z",
                "2016-12-31T23:59:60.000Z",
            })
    void timesOfAnotherFormAreReadAsJacksonDoes(String text) throws Exception {
        Instant expected = JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .build()
                .readValue("\"" + text + "\"", Instant.class);
        assertThat(instant("\"" + text + "\"")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"2026-02-30T08:15:30.120Z\"",
                "\"2026-13-02T08:15:30.120Z\"",
                "\"2026-11-00T08:15:30.120Z\"",
                "\"2026-11-02T25:15:30.120Z\"",
                "\"2026-11-02T08:60:30.120Z\"",
                "\"2026-11-02T08:15:30.12xZ\"",
                "\"2026-11-02 08:15:30.120Z\"",
                "\"2026-11-02T08:15:30.120Y\"",
                "\"x026-11-02T08:15:30.120Z\"",
                "true",
                "[]",
                "{}",
            })
    void whatIsNoTimeIsRefused(String json) {
        assertThatThrownBy(() -> instant(json)).isInstanceOf(JsonProcessingException.class);
    }

    /** Reads the time from the middle of the parser's buffer. */
    private static Instant instant(String json) throws JsonProcessingException {
        return Json.MAPPER
                .readValue("{\"before\":\"x\",\"at\":" + json + "}", AtTime.class)
                .at();
    }

    private record AtTime(String before, Instant at) {}

    private static AccountCommand decode(String text) {
        return Topics.ACCOUNT_COMMANDS.decode(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
