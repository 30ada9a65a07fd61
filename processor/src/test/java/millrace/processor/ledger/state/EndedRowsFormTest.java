package millrace.processor.ledger.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.topics.Topic;
import millrace.processor.ledger.decide.EndedReport;
import millrace.runtime.repartition.EndedRows;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever changes the number of partitions takes the rows apart as they are written here. */
class EndedRowsFormTest {
    private static final Instant DUE = Instant.parse("2027-11-23T00:00:00Z");
    private static final UUID ID = UUID.fromString("0192f0c1-7d3a-7c55-9d1e-5b1f0a2c3d4e");

    @Test
    void rowsAreTakenApartAsTheyAreWritten() {
        String usual = ID + "/2/report-" + UUID.randomUUID() + ".csv.gz";
        Instant fileDue = DUE.minusSeconds(1000);
        List<EndedEntry> entries = List.of(
                EndedEntry.OfKey.of("acme", "a0b1", DUE),
                report(null, null, false, List.of()),
                report(usual, fileDue, true, List.of()),
                report("a name of another build", fileDue, false, List.of("list 1", "list 2")));
        byte[] row = EndedRow.encode(entries);
        assertThat(row).isNotNull();
        List<EndedRows.Entry> apart = EndedRows.entries(row);
        assertThat(apart).hasSameSizeAs(entries);
        for (int i = 0; i < entries.size(); i++) {
            assertThat(apart.get(i).place()).isEqualTo(entries.get(i).place());
            assertThat(apart.get(i).due()).isEqualTo(entries.get(i).due().getEpochSecond());
            assertThat(Utils.toPositive(apart.get(i).account()) % 16).isEqualTo(Topic.partition("acme", 16));
            assertThat(EndedRow.decode(EndedRows.row(List.of(apart.get(i))))).containsExactly(entries.get(i));
        }
    }

    private static EndedEntry report(
            @Nullable String file, @Nullable Instant fileDue, boolean entityList, List<String> lists) {
        return EndedEntry.OfReport.of("acme", new EndedReport(ID, 2, file, fileDue, DUE, entityList, lists));
    }
}
