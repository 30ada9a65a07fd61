package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The name of a topic stands in one place: code elsewhere says {@code Topics.X.name()}. Comments may name topics. */
class TopicNamesTest {
    private static final Path TOPICS =
            Sources.ROOT.resolve("libs/contracts/src/main/java/millrace/contracts/topics/Topics.java");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:internal|open)\\(\\s*\"([a-z.-]+)\"");

    @Test
    void topicNamesStandInTopicsOnly() throws IOException {
        List<String> names = names(Files.readString(TOPICS));
        assertThat(names).hasSizeGreaterThan(10);
        for (Path file :
                Sources.main().stream().filter(file -> !file.equals(TOPICS)).toList()) {
            assertThat(literalsWith(names, Files.readString(file)))
                    .as("%s names a topic; say Topics.X.name() instead", Sources.ROOT.relativize(file))
                    .isEmpty();
        }
    }

    @Test
    void findsNamesInStringsOnly() {
        String code = """
                // "credit-ledger"
                /* "credit-ledger" */
                subscribe("credit-ledger"); log("no \\" record of credit-ledger"); path("/credit-ledgers/my-credit-ledger");
                """;
        assertThat(literalsWith(List.of("credit-ledger"), code))
                .containsExactly("\"credit-ledger\"", "\"no \\\" record of credit-ledger\"");
    }

    private static List<String> names(String topics) {
        return DECLARED.matcher(topics).results().map(name -> name.group(1)).toList();
    }

    private static List<String> literalsWith(List<String> names, String code) {
        Pattern name = Pattern.compile("(?<![\\w.-])(?:"
                + String.join("|", names.stream().map(Pattern::quote).toList()) + ")(?![\\w-])");
        return Sources.TOKENS
                .matcher(code)
                .results()
                .map(MatchResult::group)
                .filter(token -> token.startsWith("\""))
                .filter(literal -> name.matcher(literal).find())
                .toList();
    }
}
