package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            text/plain                        | UTF-8
            text/html; charset=utf-8          | UTF-8
            application/json                  | UTF-8
            application/problem+json          | UTF-8
            Application/XML; charset="UTF-8"  | UTF-8
            text/plain; charset=ISO-8859-1    | ISO-8859-1
            text/plain; charset=no-such       | UTF-8
            -                                 | UTF-8
            application/octet-stream          | UTF-8
            no type                           | UTF-8
            """)
    void readsTextByItsTypeOrItsBytes(@Nullable String type, String charset) {
        assertThat(text("größer\n".getBytes(Charset.forName(charset)), false, type, null))
                .isEqualTo("größer\n");
    }

    @Test
    void replacesWhatIsMalformedInText() {
        assertThat(text(bytes(0x61, 0xC3, 0x28), false, "text/plain", null)).isEqualTo("a\uFFFD(");
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "application/octet-stream"})
    void isNoTextWhereTheBytesAreNone(String type) {
        assertThat(text(bytes(0x61, 0xC3, 0x28), false, type, null)).isNull();
        assertThat(text(bytes(0x61, 0x00, 0x62), false, type, null)).isNull();
        assertThat(text(bytes(0x61, 0xC3), false, type, null)).isNull();
    }

    @Test
    void theLastCharacterOfABodyThatGoesOnMayBeCut() {
        assertThat(text(bytes(0x61, 0xC3), true, null, null)).isEqualTo("a");
    }

    @Test
    void readsNothingOfAnEmptyOrCompressedBody() {
        assertThat(text(new byte[0], false, "text/plain", null)).isNull();
        assertThat(text(bytes(0x61), false, "text/plain", "gzip")).isNull();
        assertThat(text(bytes(0x61), false, "text/plain", "identity")).isEqualTo("a");
    }

    private static @Nullable String text(byte[] body, boolean cut, @Nullable String type, @Nullable String coding) {
        var headers = new DefaultHttpHeaders();
        if (type != null) {
            headers.add("content-type", type);
        }
        if (coding != null) {
            headers.add("content-encoding", coding);
        }
        return AnswerText.of(body, cut, headers);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
