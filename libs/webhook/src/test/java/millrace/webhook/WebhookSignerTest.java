package millrace.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignerTest {
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
        assertThat(WebhookSigner.of(List.of(secret)).headers(id, Instant.ofEpochSecond(at), utf8(body)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "webhook-id",
                        id,
                        "webhook-timestamp",
                        Long.toString(at),
                        "webhook-signature",
                        version + "," + signature));
    }

    /** The third vector: ed25519 over the same message as the first, and the public key verifies it. */
    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void publishedVectorOfEd25519(int bytes) throws Exception {
        byte[] pair = Base64.getDecoder()
                .decode("6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==");
        String secret = "whsk_" + Base64.getEncoder().encodeToString(Arrays.copyOf(pair, bytes));
        byte[] body = utf8("{\"test\": 2432232314}");
        String signature = signature(lists(WebhookSigner.of(List.of(secret))
                .headers("msg_p5jXN8AQM9LWM0D4loKWxJek", Instant.ofEpochSecond(1614265330), body)));
        assertThat(signature)
                .isEqualTo(
                        "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==");
        byte[] signed = utf8("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{\"test\": 2432232314}");
        byte[] known = Arrays.copyOfRange(pair, 32, 64);
        assertThat(verifies(known, signed, signature.substring("v1a,".length())))
                .isTrue();
        assertThat(WebhookSigner.publicKeys(List.of(OLD, secret)))
                .containsExactly("whpk_" + Base64.getEncoder().encodeToString(known));
    }

    /** While an account moves from one kind to the other, its receivers verify what they know. */
    @Test
    void bothKindsInOneHeader() {
        String asymmetric = "whsk_" + Base64.getEncoder().encodeToString(new byte[32]);
        var headers = headers(WebhookSigner.of(List.of(asymmetric, OLD)), Instant.now());
        assertThat(signature(headers)).matches("v1a,\\S{88} v1,\\S{44}");
        assertThatCode(() -> verify(OLD, headers)).doesNotThrowAnyException();
    }

    /** What the reference libraries refuse in their own tests, made from headers of ours. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            webhook-id        | -                | no id
            webhook-timestamp | -                | no timestamp
            webhook-signature | -                | no signature
            webhook-timestamp | hello            | a timestamp that is no number
            webhook-timestamp | -301             | 5 minutes and a second old
            webhook-timestamp | +301             | 5 minutes and a second from now
            webhook-signature | v1,              | nothing after the version
            webhook-signature | v2,{}            | a version that nobody knows
            webhook-signature | {}               | no version
            webhook-signature | v1,xx{}          | another signature
            webhook-id        | another          | another id
            """)
    void theReferenceLibraryRefuses(String header, @Nullable String value, String why) {
        Instant now = Instant.now();
        boolean shifted = value != null && value.matches("[+-]301");
        var headers = new HashMap<>(
                headers(WebhookSigner.of(List.of(OLD)), shifted ? now.plusSeconds(Long.parseLong(value)) : now));
        String bare = signature(headers).substring("v1,".length());
        if (value == null) {
            headers.remove(header);
        } else if (!shifted) {
            headers.put(header, List.of(value.replace("{}", bare)));
        }
        assertThatThrownBy(() -> verify(OLD, headers)).as(why).isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void theReferenceLibraryAccepts() throws Exception {
        var empty = WebhookSigner.of(List.of(OLD)).headers("a.1", Instant.now(), new byte[0]);
        new com.standardwebhooks.Webhook(OLD).verify("", lists(empty));
        var decoys = new HashMap<>(headers(WebhookSigner.of(List.of(OLD)), Instant.now()));
        String good = signature(decoys);
        decoys.put("webhook-signature", List.of("v1a,xxxx v2,AAAA v1,AAAA " + good + " v1,BBBB"));
        verify(OLD, decoys);
    }

    @Test
    void receiversWithEitherSecretVerifyWhileOneIsRotated() {
        var headers = headers(WebhookSigner.of(List.of(NEW, OLD)), Instant.now());
        for (String known : List.of(OLD, NEW)) {
            assertThatCode(() -> verify(known, headers)).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> verify("whsec_" + "QUFB".repeat(8), headers))
                .isInstanceOf(WebhookVerificationException.class);
    }

    /** Each attempt carries its own time; the reference library refuses one that is older than 5 minutes. */
    @Test
    void anAttemptIsSignedAnew() {
        WebhookSigner signature = WebhookSigner.of(List.of(OLD));
        Instant now = Instant.now();
        assertThatCode(() -> verify(OLD, headers(signature, now))).doesNotThrowAnyException();
        assertThatThrownBy(() -> verify(OLD, headers(signature, now.minus(Duration.ofMinutes(35)))))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "whsec_, empty",
        "'', empty",
        "whsec_%%, not base64",
        "whsk_, empty",
        "whsk_%%, not base64",
        "whsk_QUFB, 'no ed25519 key: it has 3 bytes, not 32 or 64'"
    })
    void refusesWhatIsNoSecretWithoutShowingIt(String secret, String message) {
        assertThatThrownBy(() -> WebhookSigner.of(List.of(OLD, secret))).hasMessage("a webhook secret is " + message);
        assertThatThrownBy(() -> WebhookSigner.of(List.of())).hasMessage("there is no webhook secret");
    }

    private static Map<String, List<String>> headers(WebhookSigner signature, Instant at) {
        return lists(signature.headers("a.1", at, utf8(BODY)));
    }

    private static String signature(Map<String, List<String>> headers) {
        return Objects.requireNonNull(headers.get("webhook-signature")).getFirst();
    }

    private static Map<String, List<String>> lists(Map<String, String> headers) {
        return headers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> List.of(e.getValue())));
    }

    private static boolean verifies(byte[] publicKey, byte[] signed, String signature) throws Exception {
        byte[] reversed = new byte[32];
        for (int i = 0; i < 32; i++) {
            reversed[i] = publicKey[31 - i];
        }
        boolean odd = (reversed[0] & 0x80) != 0;
        reversed[0] &= 0x7f;
        var point = new EdECPoint(odd, new BigInteger(1, reversed));
        var verifier = java.security.Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519")
                .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point)));
        verifier.update(signed);
        return verifier.verify(Base64.getDecoder().decode(signature));
    }

    private static void verify(String secret, Map<String, List<String>> headers) throws Exception {
        new com.standardwebhooks.Webhook(secret).verify(BODY, headers);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
