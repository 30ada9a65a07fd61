package millrace.runtime.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentProxiesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HTTPS_PROXY=http://p:3128                              | https://data.example  | the proxy p:3128 (HTTPS_PROXY)
            https_proxy=p                                          | https://data.example  | the proxy p:80 (https_proxy)
            https_proxy=http://a:1 HTTPS_PROXY=http://b:2          | https://data.example  | the proxy a:1 (https_proxy)
            HTTPS_PROXY=http://p:3128                              | http://data.example   |
            HTTP_PROXY=http://[::1]:3128                           | http://data.example   | the proxy [::1]:3128 (HTTP_PROXY)
            HTTP_PROXY=http://p:3128                               | http://127.0.0.1:8080 |
            HTTP_PROXY=http://p:3128                               | http://127.9.9.9:8080 |
            HTTP_PROXY=http://p:3128                               | http://localhost:8080 |
            HTTP_PROXY=http://p:3128                               | http://a.localhost    |
            HTTP_PROXY=http://p:3128                               | http://[::1]:8080     |
            HTTP_PROXY=http://p:3128 NO_PROXY=example              | http://data.example   |
            HTTP_PROXY=http://p:3128 NO_PROXY=x,.example           | http://data.example   |
            HTTP_PROXY=http://p:3128 NO_PROXY=*.example            | http://data.example   |
            HTTP_PROXY=http://p:3128 no_proxy=DATA.example         | http://data.EXAMPLE   |
            HTTP_PROXY=http://p:3128 NO_PROXY=*                    | http://data.example   |
            HTTP_PROXY=http://p:3128 NO_PROXY=ta.example           | http://data.example   | the proxy p:3128 (HTTP_PROXY)
            HTTP_PROXY=http://p:3128 NO_PROXY=                     | http://data.example   | the proxy p:3128 (HTTP_PROXY)
            HTTP_PROXY=http://p:3128 NO_PROXY=data.example:8080    | http://data.example:8080 |
            HTTP_PROXY=http://p:3128 NO_PROXY=data.example:8080    | http://data.example   | the proxy p:3128 (HTTP_PROXY)
            HTTP_PROXY=http://p:3128 NO_PROXY=10.0.0.0/8           | http://10.1.2.3       |
            HTTP_PROXY=http://p:3128 NO_PROXY=10.0.0.0/16          | http://10.1.2.3       | the proxy p:3128 (HTTP_PROXY)
            HTTP_PROXY=http://p:3128 NO_PROXY=fd00::/8             | http://[fd12::1]:80   |
            HTTP_PROXY=http://p:3128 NO_PROXY=10.1.2.3             | http://10.1.2.3       |
            """)
    void asCurl(String variables, URI address, @Nullable String proxy) throws CliException {
        assertEquals(
                proxy,
                EnvironmentProxies.of(environment(variables))
                        .proxy(address)
                        .map(EnvironmentProxies.Named::toString)
                        .orElse(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://p:1080", "https://me:secret@p:443", "http://", "a b"})
    void whatIsNoProxyIsToldWithoutItsPassword(String value) {
        CliException refused =
                assertThrows(CliException.class, () -> EnvironmentProxies.of(Map.of("HTTPS_PROXY", value)));
        assertEquals("HTTPS_PROXY must be like http://proxy.example.com:3128", refused.getMessage());
        assertEquals(2, refused.exitCode());
    }

    private static Map<String, String> environment(String variables) {
        Map<String, String> environment = new HashMap<>();
        for (String one : variables.split(" +", -1)) {
            environment.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return environment;
    }
}
