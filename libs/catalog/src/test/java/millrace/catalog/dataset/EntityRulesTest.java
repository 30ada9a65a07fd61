package millrace.catalog.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityRulesTest {
    /** The same rule as an expression, which takes ten times as long. */
    private static final Pattern HOST = Pattern.compile("(?!-)[a-z0-9_-]{1,63}(?<!-)(\\.(?!-)[a-z0-9_-]{1,63}(?<!-))*");

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

    /** The pattern is what the API's description says of names: it forbids none that is accepted. */
    @Property
    void whatIsAcceptedMatchesThePattern(@ForAll EntityField.Kind kind, @ForAll("entities") String text) {
        boolean right =
                EntityRules.problem(kind, EntityRules.normal(kind, text)).isEmpty();
        boolean matches = Pattern.compile(EntityRules.pattern(kind), Pattern.UNICODE_CHARACTER_CLASS)
                .matcher(text)
                .matches();
        assertThat(matches || !right).as(text).isTrue();
        if (kind == EntityField.Kind.DOMAIN && text.length() <= EntityRules.longest(kind)) {
            assertThat(matches).as(text).isEqualTo(right);
        }
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

    /** Of every character that there is, alone and between others, and as Unicode takes it apart. */
    @Test
    void everyWayToWriteAKeywordHasOneNormalForm() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            for (String text : List.of(Character.toString(c), "a" + Character.toString(c) + "\u0301 b")) {
                String normal = EntityRules.normal(EntityField.Kind.KEYWORD, text);
                assertThat(EntityRules.normal(EntityField.Kind.KEYWORD, normal)).isEqualTo(normal);
                if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                    assertThat(EntityRules.normal(
                                    EntityField.Kind.KEYWORD, Normalizer.normalize(text, Normalizer.Form.NFD)))
                            .isEqualTo(normal);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {' ', '\t', '\n', 0x85, 0xA0, 0x1680, 0x2003, 0x2007, 0x2028, 0x202F, 0x205F, 0x3000})
    void noBlankStandsAroundAKeyword(int blank) {
        String around = Character.toString(blank);
        assertThat(EntityRules.normal(EntityField.Kind.KEYWORD, around + around + "red" + around))
                .isEqualTo("red");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "می\u200cخواهم, -", // Persian: I want
                "क\u094d\u200dष, -", // Hindi, written without the ligature
                "അവന\u0d4d\u200d, -", // Malayalam, at the end of a word
                "\ud83d\udc69\u200d\ud83d\udcbb, -", // a woman with a computer
                "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc73\udb40\udc63\udb40\udc74\udb40\udc7f, -", // Scotland
                "\u0600123, -", // a number in Arabic
                "red\u200dshoes, U+200D (ZERO WIDTH JOINER)",
                "می\u200c\u200cخواهم, U+200C (ZERO WIDTH NON-JOINER)",
                "\u200cخواهم, U+200C (ZERO WIDTH NON-JOINER)",
                "red\u200bshoes, U+200B (ZERO WIDTH SPACE)",
                "\ufeffred, U+FEFF (ZERO WIDTH NO-BREAK SPACE)",
                "shoes\u00ad, U+00AD (SOFT HYPHEN)",
                "\u061cred, U+061C (ARABIC LETTER MARK)",
                "red\udb40\udc67, U+E0067 (TAG LATIN SMALL LETTER G)",
            })
    void invisibleCharactersAreNamed(String keyword, @Nullable String named) {
        assertThat(EntityRules.problem(EntityField.Kind.KEYWORD, keyword))
                .isEqualTo(Optional.ofNullable(named)
                        .map(n -> "has the invisible character " + n + "; accepted: " + EntityRules.KEYWORD_WORDS));
    }

    @ParameterizedTest
    @CsvSource({
        "münchen.de, xn--mnchen-3ya.de",
        "BÜCHER.example, xn--bcher-kva.example",
        "例え。jp, xn--r8jz45g.jp",
        "straße.de, xn--…", // IDNA 2003 says strasse.de, which is another host
        "ü..de, xn--…",
        "ü*.de, xn--…",
    })
    void hostsOfOtherLettersAreShownInPunycode(String host, String shown) {
        assertThat(EntityRules.problem(EntityField.Kind.DOMAIN, EntityRules.normal(EntityField.Kind.DOMAIN, host)))
                .hasValue("has letters outside ASCII, which must be written in punycode: " + shown + "; accepted: "
                        + EntityRules.HOST_WORDS);
    }

    @Property
    void noHostIsTooOddToBeJudged(@ForAll String host) {
        assertThat(EntityRules.problem(EntityField.Kind.DOMAIN, host + "ü")).isPresent();
    }

    @Test
    void theBeginningOfANameKeepsTheBlankAtItsEnd() {
        assertThat(EntityRules.normalStart(EntityField.Kind.KEYWORD, " Cafe\u0301\u00a0"))
                .isEqualTo("caf\u00e9 ");
        assertThat(EntityRules.normalStart(EntityField.Kind.DOMAIN, " Shop.")).isEqualTo("shop.");
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
