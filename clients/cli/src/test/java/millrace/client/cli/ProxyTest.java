package millrace.client.cli;

import static millrace.client.cli.TestService.bytes;
import static millrace.client.cli.TestService.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests by way of the proxy that the environment names. */
class ProxyTest {
    private static final String CREDITS = "GET /v3/batch/credits";
    private static final String FAR = "http://data.invalid";

    @TempDir
    Path home;

    private TestService proxy;

    @BeforeEach
    void start() throws IOException {
        proxy = TestService.start().on(CREDITS, json(200, "{\"remaining_credits\":7}"));
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void aServiceFarAwayIsAskedByWayOfTheProxy() {
        assertThat(credits(FAR, "HTTP_PROXY", proxy.url()).out()).isEqualTo("7 credits left\n");
        assertThat(proxy.requests(CREDITS)).singleElement().satisfies(r -> {
            assertThat(r.uri()).hasToString(FAR + "/v3/batch/credits");
            assertThat(r.headers()).doesNotContainKey("Proxy-authorization");
        });
        assertThat(credits(FAR, "HTTP_PROXY", proxy.url(), "NO_PROXY", "invalid")
                        .err())
                .contains("no answer from " + FAR + ": the host data.invalid is not known\n");
    }

    @Test
    void thisMachineIsNot() {
        assertThat(credits(proxy.url(), "HTTP_PROXY", "http://127.0.0.1:1").out())
                .isEqualTo("7 credits left\n");
        assertThat(proxy.requests(CREDITS).getFirst().uri()).hasToString("/v3/batch/credits");
    }

    @Test
    void saysThatItIsTheProxyThatFails() {
        assertThat(credits(FAR, "HTTP_PROXY", "http://127.0.0.1:1").err())
                .contains(
                        "no answer from " + FAR + ": Connection refused, by way of the proxy 127.0.0.1:1 (HTTP_PROXY)");
        // This one does not know CONNECT.
        assertThat(credits("https://data.invalid", "https_proxy", proxy.url()).err())
                .contains(", by way of the proxy 127.0.0.1:" + proxy.port() + " (https_proxy)");
        Typed.Result wrong = credits(FAR, "HTTP_PROXY", "socks5://me:secret@p");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).isEqualTo("millrace credits: HTTP_PROXY must be like http://proxy.example.com:3128\n");
    }

    @Test
    void theProxyGetsItsNameAndPasswordOnce() {
        proxy.on(
                CREDITS,
                bytes(407, new byte[0], "Proxy-Authenticate", "Basic realm=\"p\""),
                json(200, "{\"remaining_credits\":7}"));
        String named = proxy.url().replace("//", "//me:s%20ecret@");
        assertThat(credits(FAR, "HTTP_PROXY", named).out()).isEqualTo("7 credits left\n");
        assertThat(proxy.requests(CREDITS).getLast().header("Proxy-authorization"))
                .isEqualTo(
                        "Basic " + Base64.getEncoder().encodeToString("me:s ecret".getBytes(StandardCharsets.UTF_8)));
        proxy.on(CREDITS, bytes(407, new byte[0], "Proxy-Authenticate", "Basic realm=\"p\""));
        assertThat(credits(FAR, "HTTP_PROXY", named).err())
                .contains("it wants another name and password, by way of the proxy 127.0.0.1:" + proxy.port())
                .doesNotContain("ecret");
        assertThat(proxy.requests(CREDITS)).hasSizeLessThanOrEqualTo(4);
    }

    private Typed.Result credits(String url, String... environment) {
        Typed typed = new Typed(home).environment("MILLRACE_URL", url).environment("MILLRACE_KEY", TestService.KEY);
        for (int i = 0; i < environment.length; i += 2) {
            typed.environment(environment[i], environment[i + 1]);
        }
        return typed.run("credits", "--retry-for", "0s");
    }
}
