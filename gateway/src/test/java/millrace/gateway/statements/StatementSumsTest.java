package millrace.gateway.statements;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.gateway.copy.activity.ActivityQueries.BookedEntry;
import millrace.gateway.copy.activity.ReportGroups;
import org.junit.jupiter.api.Test;

/** However much there is in a month, its statement has a bound. */
class StatementSumsTest {
    private static final UUID REPORT = UUID.fromString("845d6440-79d1-4125-964e-eaef0d6923e5");

    @Test
    void marksBecomeFewerWhereEntriesAreMany() {
        assertThat(every(999)).isEqualTo(1);
        assertThat(every(1_000)).isEqualTo(10);
        assertThat(every(9_999)).isEqualTo(10);
        assertThat(every(10_000)).isEqualTo(100);
    }

    private static long every(int entries) {
        JsonNode marks = statement(entries, false).path("marks");
        long every = marks.path("every").asLong();
        assertThat(marks.path("sha256")).hasSize((int) (entries / every)).hasSizeLessThan(1_000);
        return every;
    }

    /** The longest values that tags can have, each of three bytes a character. */
    @Test
    void tagsBeyondFiveHundredAreLeftOut() {
        ObjectNode statement = statement(2_000, true);
        assertThat(statement.path("by_tag")).hasSize(500);
        assertThat(statement.path("by_tag").path(0).path("credits").asLong()).isEqualTo(2_000);
        assertThat(statement.path("tags_left_out").asLong()).isEqualTo(1_500);
        assertThat(CanonicalJson.bytes(statement)).hasSizeLessThan(190_000);
    }

    private static ObjectNode statement(int entries, boolean tags) {
        var sums = new StatementSums("acme", YearMonth.parse("2026-10"));
        long used = 0;
        for (int sequence = 1; sequence <= entries; sequence++) {
            used += sequence;
            var entry = new LedgerEntry(
                    REPORT + ".1.settlement",
                    "acme",
                    sequence,
                    LedgerEntry.Kind.SETTLEMENT,
                    REPORT,
                    sequence,
                    10_000_000_000L,
                    5_000_000_000L - used,
                    used,
                    5_000_000_000L,
                    Instant.parse("2026-10-02T08:15:30Z"));
            Map<String, String> values = tags ? Map.of("n".repeat(40), "€".repeat(74) + sequence) : Map.of();
            sums.add(new BookedEntry(entry, Json.MAPPER.valueToTree(entry), new ReportGroups("demographics", values)));
        }
        return sums.statement(null);
    }
}
