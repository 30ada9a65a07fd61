package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URISyntaxException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://example.com             | true  | example.com | 443  | /         | example.com
            HTTP://Example.COM:80/a?b=c#d   | false | example.com | 80   | /a?b=c    | example.com
            http://example.com:443/%20      | false | example.com | 443  | /%20      | example.com:443
            https://example.com.:8443?x     | true  | example.com | 8443 | /?x       | example.com:8443
            http://192.0.2.1/               | false | 192.0.2.1   | 80   | /         | 192.0.2.1
            http://My_Site.example:81/      | false | my_site.example | 81 | /        | my_site.example:81
            http://_a.b_.example            | false | _a.b_.example | 80 | /          | _a.b_.example
            https://example.com/größe?ü=漢%20 | true | example.com | 443  | /gr%C3%B6%C3%9Fe?%C3%BC=%E6%BC%A2%20 | example.com
            http://[2001:DB8::1]:81/        | false | 2001:db8::1 | 81   | /         | [2001:db8::1]:81
            """)
    void parts(String url, boolean tls, String host, int port, String target, String header) throws URISyntaxException {
        Destination destination = Destination.of(url);
        assertThat(destination).isEqualTo(new Destination(tls, host, port, target));
        assertThat(destination.hostHeader()).isEqualTo(header);
    }

    @ParameterizedTest
    @CsvSource({"http://192.0.2.1, true", "http://[::1], true", "'http://[fe80::1%25eth0]/', true", "http://a.b, false"
    })
    void literals(String url, boolean literal) throws URISyntaxException {
        assertThat(Destination.of(url).literal().isPresent()).isEqualTo(literal);
    }

    /** Other programs read these as 127.0.0.1 or 10.0.0.1; nothing is left to guess. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.0.0.1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://127.1/",
                "http://127.0.1/",
                "http://010.0.0.1/",
                "http://0/",
                "http://127.0.0.01/",
                "http://1.2.3.4.5/",
                "http://127.0.0.1.:80.5/",
                "http://0x0a000001/",
                "http://a_b.1.2.3/",
                "http://0x7f_1/",
                "http://a_b.-c.example/",
                "http://user@a_b.example/",
                "http://a_b.example:x/",
                "http://a_b.example:65536/",
                "http://①②⑦.⓪.⓪.①/",
                "http://127。0。0。1/",
                "ftp://example.com",
                "//example.com",
                "example.com",
                "http:///x",
                "http://user@example.com/",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://[::1",
                "http://exa mple.com/",
                "https://"
            })
    void refused(String url) {
        assertThatThrownBy(() -> Destination.of(url)).isInstanceOf(URISyntaxException.class);
    }
}
