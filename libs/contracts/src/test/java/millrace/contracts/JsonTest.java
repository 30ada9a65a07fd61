package millrace.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    private static AccountCommand decode(String text) {
        return Topics.ACCOUNT_COMMANDS.decode(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
