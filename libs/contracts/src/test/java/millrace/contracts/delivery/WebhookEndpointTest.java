package millrace.contracts.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookEndpointTest {
    @ParameterizedTest
    @CsvSource({
        "https://Example.com/hook?a=b, acme|https://example.com:443",
        "HTTP://example.com, acme|http://example.com:80",
        "http://My_Site.example:8080/größe, acme|http://my_site.example:8080",
        "https://_a.b_.example, acme|https://_a.b_.example:443",
        "https://[2001:db8::1]:81/, acme|https://[2001:db8::1]:81",
    })
    void isSchemeHostAndPort(String url, String key) {
        assertThat(WebhookEndpoint.of("acme", url).key()).isEqualTo(key);
    }

    @Test
    void isOfAnAcceptedUrlOnly() {
        assertThatThrownBy(() -> WebhookEndpoint.of("acme", "https://a b.example/"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
