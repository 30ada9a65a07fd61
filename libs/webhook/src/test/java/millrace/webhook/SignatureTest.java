package millrace.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignatureTest {
    private static final String OLD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEW = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final String BODY = "{\"größe\":\"日本\"}";

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, `{"test": 2432232314}`, v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
            MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, `{"test": 2432232314}`, v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
            whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD, msg_27UH4WbU6Z5A5EzD8u03UvzRbpk, 1649367553, `{"email":"test@example.com","username":"test_user"}`, v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=
            """)
    void publishedVectors(String secret, String id, long at, String body, String version, String signature) {
        assertThat(Signature.of(List.of(secret)).headers(id, Instant.ofEpochSecond(at), utf8(body)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "webhook-id",
                        id,
                        "webhook-timestamp",
                        Long.toString(at),
                        "webhook-signature",
                        version + "," + signature));
    }

    @Test
    void receiversWithEitherSecretVerifyWhileOneIsRotated() {
        var headers = headers(Signature.of(List.of(NEW, OLD)), Instant.now());
        for (String known : List.of(OLD, NEW)) {
            assertThatCode(() -> verify(known, headers)).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> verify("whsec_" + "QUFB".repeat(8), headers))
                .isInstanceOf(WebhookVerificationException.class);
    }

    /** Each attempt carries its own time; the reference library refuses one that is older than 5 minutes. */
    @Test
    void anAttemptIsSignedAnew() {
        Signature signature = Signature.of(List.of(OLD));
        Instant now = Instant.now();
        assertThatCode(() -> verify(OLD, headers(signature, now))).doesNotThrowAnyException();
        assertThatThrownBy(() -> verify(OLD, headers(signature, now.minus(Duration.ofMinutes(35)))))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @ParameterizedTest
    @CsvSource({"whsec_, empty", "'', empty", "whsec_%%, not base64"})
    void refusesWhatIsNoSecretWithoutShowingIt(String secret, String message) {
        assertThatThrownBy(() -> Signature.of(List.of(OLD, secret))).hasMessage("a webhook secret is " + message);
        assertThatThrownBy(() -> Signature.of(List.of())).hasMessage("there is no webhook secret");
    }

    private static Map<String, List<String>> headers(Signature signature, Instant at) {
        return signature.headers("a.1", at, utf8(BODY)).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> List.of(e.getValue())));
    }

    private static void verify(String secret, Map<String, List<String>> headers) throws Exception {
        new com.standardwebhooks.Webhook(secret).verify(BODY, headers);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
