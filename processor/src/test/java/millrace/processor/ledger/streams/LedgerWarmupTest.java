package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerSamples;
import org.junit.jupiter.api.Test;

class LedgerWarmupTest {
    /** The warm-up must run the code of a whole report. */
    @Test
    void theReportIsAcceptedRenderedSettledAndToldOf() throws IOException {
        var warmup = new LedgerWarmup(
                new Ledger(LedgerSamples.RULES),
                new LedgerRecords((status, file) -> "http://here.example/"),
                Instant.EPOCH);

        assertThat(warmup.once())
                .as("grant, reservation, settlement; request, task; two events, statuses and webhooks; the account")
                .isEqualTo(3 + 2 + 2 * 3 + 1);
    }
}
