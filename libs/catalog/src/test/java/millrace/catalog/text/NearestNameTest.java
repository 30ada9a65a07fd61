package millrace.catalog.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    @ParameterizedTest
    @CsvSource({
        "form, from",
        "Group-By, group_by",
        "by, group_by",
        "group, group_by",
        "tp, to",
        "ab, ''",
        "of, ''",
        "nothing, ''",
    })
    void suggestsWhatIsMeant(String wrong, String meant) {
        assertThat(NearestName.of(wrong, List.of("from", "to", "group_by")).orElse(""))
                .isEqualTo(meant);
    }
}
