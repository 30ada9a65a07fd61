package millrace.catalog.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityRulesTest {
    /** The same rule as an expression, which takes ten times as long. */
    private static final Pattern HOST = Pattern.compile("(?!-)[a-z0-9-]{1,63}(?<!-)(\\.(?!-)[a-z0-9-]{1,63}(?<!-))*");

    @Property
    void hostsAreLabelsWithDotsBetween(@ForAll("hosts") String host) {
        assertThat(EntityRules.problem(EntityField.Kind.DOMAIN, host).isEmpty())
                .isEqualTo(HOST.matcher(host).matches());
    }

    @ParameterizedTest
    @CsvSource({"63, 1, true", "64, 1, false", "49, 5, true", "50, 5, false"})
    void labelsAndHostsHaveALength(int label, int labels, boolean right) {
        String host = String.join(".", Collections.nCopies(labels, "a".repeat(label))) + (labels == 5 ? ".com" : "");
        assertThat(EntityRules.problem(EntityField.Kind.DOMAIN, host).isEmpty()).isEqualTo(right);
    }

    /** What is taken in as it stands is what the rules make of it. */
    @Property
    void whatIsNormalIsValid(@ForAll EntityField.Kind kind, @ForAll("entities") String text) {
        boolean normal = EntityRules.isNormal(kind, ("[" + text).toCharArray(), 1, text.length());
        boolean right = EntityRules.normal(kind, text).equals(text)
                && EntityRules.problem(kind, text).isEmpty();
        boolean ascii = text.chars().allMatch(c -> c >= ' ' && c <= '~');
        assertThat(normal).isEqualTo(right && ascii);
    }

    @Provide
    Arbitrary<String> hosts() {
        return Arbitraries.strings().withChars("az09-.A_é").ofMaxLength(8);
    }

    @Provide
    Arbitrary<String> entities() {
        return Arbitraries.strings().withChars("ab z~.- AZ9\u007f\u0080é\t\n漢").ofMaxLength(6);
    }
}
