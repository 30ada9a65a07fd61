package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import millrace.contracts.Hashes;
import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminKeysTest {
    private static final String KEY = "0123456789abcdef";

    @Test
    void namesWhoHasAKey() {
        AdminKeys keys = AdminKeys.parse(
                "# who\n\nops " + KEY + "\n  eve   sha256:" + Hashes.sha256("a key of eve's")
                        + "\nkeykeykeykeykeykey\n",
                "file");
        assertThat(keys.name(KEY)).contains("ops");
        assertThat(keys.name("a key of eve's")).contains("eve");
        assertThat(keys.name("keykeykeykeykeykey")).contains("admin");
        assertThat(keys.name("another")).isEmpty();
        assertThat(keys.name("")).isEmpty();
        assertThat(keys.name(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ops short                                          | line 1: the key must have 16 characters
            ops sha256:12                                      | line 1: the key must have 16 characters
            ops a b                                            | line 1 is not a name and a key
            a/b 0123456789abcdef                               | line 1 is not a name and a key
            ops 0123456789abcdef\\nops fedcba9876543210         | line 2: name or key is there twice
            ops 0123456789abcdef\\neve 0123456789abcdef         | line 2: name or key is there twice
            """)
    void saysWhatIsWrongWithoutTheKey(String text, String sentence) {
        assertThatThrownBy(() -> AdminKeys.parse(text.replace("\\n", "\n"), "file"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining(KEY);
    }
}
