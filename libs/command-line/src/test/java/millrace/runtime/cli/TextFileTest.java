package millrace.runtime.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextFileTest {
    private static final String TEXT = "z\u00fcrich.example\n\u9774\ud83d\ude00\n";

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE"})
    void marksAreUnderstood(String encoding) throws IOException {
        assertEquals(TEXT, TextFile.decode(("\uFEFF" + TEXT).getBytes(Charset.forName(encoding))));
    }

    @Test
    void textWithoutAMarkIsUtf8() throws IOException {
        assertEquals(TEXT, TextFile.decode(TEXT.getBytes(StandardCharsets.UTF_8)));
        assertEquals("", TextFile.decode(new byte[0]));
        assertEquals("", TextFile.decode("\uFEFF".getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a\\nb\\nzürich | ISO-8859-1 | line 3 is not UTF-8, or has a letter that was lost before (U+FFFD)
            a\\nz\uFFFDrich    | UTF-8      | line 2 is not UTF-8, or has a letter that was lost before (U+FFFD)
            a\\nb              | UTF-16LE   | line 1 has zero bytes, as UTF-16 without a byte order mark has
            a\\nb              | UTF-16BE   | line 1 has zero bytes, as UTF-16 without a byte order mark has
            """)
    void otherEncodingsAreRefused(String text, String encoding, String sentence) {
        byte[] bytes = text.replace("\\n", "\n").getBytes(Charset.forName(encoding));
        assertEquals(
                sentence + "; save it as UTF-8, for example with iconv -f LATIN1 -t UTF-8",
                assertThrows(IOException.class, () -> TextFile.decode(bytes)).getMessage());
    }

    @Test
    void halfACharacterIsRefused() {
        assertThrows(IOException.class, () -> TextFile.decode(new byte[] {(byte) 0xfe, (byte) 0xff, 0}));
        assertThrows(IOException.class, () -> TextFile.decode(new byte[] {'a', (byte) 0xc3}));
    }
}
