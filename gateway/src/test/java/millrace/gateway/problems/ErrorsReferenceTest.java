package millrace.gateway.problems;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import millrace.testing.GeneratedPage;
import org.junit.jupiter.api.Test;

class ErrorsReferenceTest {
    @Test
    void hasARowForEachCode() throws IOException {
        var table = new StringBuilder("| status | code | when | what the client does |\n|---|---|---|---|\n");
        for (ProblemCode code : ProblemCode.values()) {
            table.append("| %d | `%s` | %s | %s |\n".formatted(code.status(), code.word(), code.when(), code.remedy()));
        }
        GeneratedPage.check(
                "errors.md",
                table.toString(),
                "-pl gateway -am test -Dtest=ErrorsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false");
    }

    /** Programs keep them for ever. */
    @Test
    void codesAreWordsInTheOrderOfTheirStatus() {
        assertThat(ProblemCode.words()).allMatch(word -> word.matches("[a-z]+(_[a-z]+)*"));
        assertThat(Arrays.stream(ProblemCode.values()))
                .isSortedAccordingTo(Comparator.comparingInt(ProblemCode::status));
    }

    /** What the framework answers by itself keeps its status, as far as there is a code of it. */
    @Test
    void knowsTheAnswersOfTheFramework() {
        for (int status : new int[] {400, 404, 405, 406, 413, 414, 415, 431, 500}) {
            assertThat(ProblemCode.ofStatus(status).status()).isEqualTo(status);
        }
    }
}
