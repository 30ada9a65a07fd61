package millrace.gateway.statements;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.activity.ActivityQueries.BookedEntry;
import millrace.gateway.copy.activity.ReportGroups;
import org.junit.jupiter.api.Test;

/** The vectors of {@code docs/reference/statements.md}. */
class StatementVectorsTest {
    private static final StatementSigner SIGNER =
            StatementSigner.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

    @Test
    void theStatementsFollowFromTheEntries() throws IOException {
        Map<String, ReportGroups> groups = new HashMap<>();
        for (JsonNode report : vector("reports")) {
            Map<String, String> tags = new HashMap<>();
            report.path("tags")
                    .properties()
                    .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
            groups.put(
                    report.path("report_id").asText(),
                    new ReportGroups(report.path("dataset").asText(), tags));
        }
        ObjectNode before = null;
        for (JsonNode signed : vector("statements")) {
            String month = signed.path("statement").path("month").asText();
            var sums = new StatementSums("acme", YearMonth.parse(month));
            for (JsonNode entry : vector("entries")) {
                if (entry.path("occurred_at").asText().startsWith(month)) {
                    LedgerEntry decoded = Topics.CREDIT_LEDGER.decode(Json.bytes(entry));
                    sums.add(new BookedEntry(
                            decoded,
                            entry,
                            decoded.kind() == LedgerEntry.Kind.SETTLEMENT
                                    ? groups.get(String.valueOf(decoded.reportId()))
                                    : null));
                }
            }
            ObjectNode statement = sums.statement(before);
            assertThat(CanonicalJson.bytes(SIGNER.signed("statement", statement)))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(new String(CanonicalJson.bytes(signed), StandardCharsets.UTF_8));
            before = statement;
        }
        assertThat(before).isNotNull();
    }

    @Test
    void theEntryIsWrittenAsThePageSays() throws IOException {
        assertThat(Files.readString(page()))
                .contains("\n"
                        + new String(CanonicalJson.bytes(vector("entries").get(1)), StandardCharsets.UTF_8) + "\n");
    }

    @Test
    void theKeyFollowsFromTheFile() throws IOException {
        assertThat(vector("keys").getFirst().path("keys").path(0)).isEqualTo(Json.MAPPER.readTree(SIGNER.publicKey()));
    }

    private static Path page() {
        return Path.of("../docs/reference/statements.md");
    }

    /** The JSON values of a block, one a line. */
    private static List<JsonNode> vector(String name) throws IOException {
        Matcher block = Pattern.compile("<!-- vector: " + name + " -->\n\n```json\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(page()));
        assertThat(block.find()).as("a vector " + name).isTrue();
        List<JsonNode> values = new ArrayList<>();
        for (String line : block.group(1).lines().toList()) {
            values.add(Json.MAPPER.readTree(line));
        }
        return values;
    }
}
