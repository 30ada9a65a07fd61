package millrace.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.reports.StoredFile;
import millrace.files.SignedLinks.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignedLinksTest {
    private static final UUID REPORT = UUID.fromString("845d6440-79d1-4125-964e-eaef0d6923e5");
    private static final Instant END = Instant.parse("2026-12-02T08:00:00Z");
    private static final StoredFile FILE = new StoredFile(REPORT + "/1/0-ab", 3, "ff");
    private static final byte[] SECRET = new byte[32];

    private final SignedLinks links = new SignedLinks(URI.create("https://data.example/base/"), SECRET);

    @Test
    void aLinkIsValidUntilItsEnd() {
        URI link = links.link(REPORT, FILE, END);
        assertThat(link.toString())
                .startsWith(
                        "https://data.example/base/v3/batch/download/" + REPORT + "?file=" + REPORT + "%2F1%2F0-ab&");

        Map<String, String> query = query(link);
        assertThat(check(query, END.minusSeconds(1))).isEqualTo(new Verdict.Valid());
        assertThat(check(query, END)).isEqualTo(new Verdict.Expired(END));
        assertThat(check(query, END.plusSeconds(9))).isEqualTo(new Verdict.Expired(END));
    }

    @ParameterizedTest
    @CsvSource({
        "file, 845d6440-79d1-4125-964e-eaef0d6923e5/1/0-ac",
        "file, ../../secret",
        "file, ''",
        "expires, 9999999999",
        "expires, -1",
        "expires, 99999999999999999999",
        "expires, ''",
        "signature, ''",
        "signature, AAAA",
    })
    void anAlteredLinkIsNone(String parameter, String value) {
        Map<String, String> query = query(links.link(REPORT, FILE, END));
        query.put(parameter, value);
        assertThat(check(query, END.minusSeconds(1))).isEqualTo(new Verdict.Altered());
    }

    @Test
    void anAlteredLinkThatIsAlsoExpiredIsAltered() {
        Map<String, String> query = query(links.link(REPORT, FILE, END));
        query.put("file", "other");
        assertThat(check(query, END.plusSeconds(1))).isEqualTo(new Verdict.Altered());
    }

    @Test
    void aLinkIsForItsReportAndSecretOnly() {
        Map<String, String> query = query(links.link(REPORT, FILE, END));
        UUID other = UUID.fromString("00000000-0000-0000-0000-000000000001");
        assertThat(links.check(
                        other, get(query, "file"), get(query, "expires"), get(query, "signature"), Instant.EPOCH))
                .isEqualTo(new Verdict.Altered());
        byte[] secret = SECRET.clone();
        secret[31] = 1;
        var others = new SignedLinks(URI.create("https://data.example"), secret);
        assertThat(others.check(
                        REPORT, get(query, "file"), get(query, "expires"), get(query, "signature"), Instant.EPOCH))
                .isEqualTo(new Verdict.Altered());
    }

    @Test
    void aShortSecretIsRefused() {
        assertThatThrownBy(() -> new SignedLinks(URI.create("http://x"), new byte[31]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Verdict check(Map<String, String> query, Instant now) {
        return links.check(REPORT, get(query, "file"), get(query, "expires"), get(query, "signature"), now);
    }

    private static String get(Map<String, String> query, String parameter) {
        return query.getOrDefault(parameter, "");
    }

    private static Map<String, String> query(URI link) {
        Map<String, String> query = new LinkedHashMap<>();
        Arrays.stream(link.getRawQuery().split("&")).forEach(pair -> {
            int equals = pair.indexOf('=');
            query.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        });
        return query;
    }
}
