package millrace.gateway.server.netty;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestHeadCleanerTest {

    @ParameterizedTest
    @CsvSource({
        "/v3/batch/credits, /v3/batch/credits",
        "//v3/batch/credits, /v3/batch/credits",
        "/v3//batch///credits//, /v3/batch/credits/",
        "///, /",
        "/a//b?url=https://c//d, /a/b?url=https://c//d",
        "/a//b#c//d, /a/b#c//d",
        "/?a//b, /?a//b",
        "http://host//v3//batch/credits, http://host/v3/batch/credits",
        "http://host, http://host",
        "/a?b=://c//d, /a?b=://c//d",
        "//a://b//c, /a:/b/c",
        "*, *",
    })
    void onlySlashesOfThePathAreMadeOne(String target, String expected) {
        assertThat(RequestHeadCleaner.withoutRepeatedSlashes(target)).isEqualTo(expected);
    }
}
