package millrace.processor.rendering.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-tesla", "@nasa", "\tx", "\rx", "＝1", "＋1", "－1", "＠x", "="})
    void formulasAreLeftAloneUnlessTheRequestAsks(String text) {
        assertThat(new CellText("none").text(text)).isEqualTo(text);
        assertThat(new CellText("spreadsheet").text(text)).isEqualTo("'" + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=b", " =1", "1-2", "'=1", "\nx", "#1"})
    void otherTextIsNeverChanged(String text) {
        assertThat(new CellText("spreadsheet").text(text)).isEqualTo(text);
    }

    @Test
    void anEmptyTextIsAbsent() {
        assertThat(new CellText("none").text("")).isNull();
    }
}
