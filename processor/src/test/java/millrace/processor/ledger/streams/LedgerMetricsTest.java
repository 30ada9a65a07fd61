package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus.Failure;
import millrace.processor.ledger.decide.Fact;
import millrace.processor.ledger.decide.LedgerAccount;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {
    @Test
    void whatItsClientCancelledIsNotCountedAsFailed() {
        var registry = new SimpleMeterRegistry();
        var metrics = new LedgerMetrics(registry);
        for (ErrorCode code : ErrorCode.values()) {
            var failed = new Fact.Failed(new UUID(0, 1), 1, new Failure(code, "so it went", code.retryable()));
            metrics.recorded(List.of(new RecordedFact(failed, LedgerAccount.fresh("acme"), null)), Instant.EPOCH);
        }
        assertThat(registry.find("millrace.reports.ended")
                        .tags("outcome", "cancelled")
                        .counters())
                .singleElement()
                .matches(counter -> counter.count() == 1)
                .matches(counter -> "cancelled".equals(counter.getId().getTag("code")));
        assertThat(registry.find("millrace.reports.ended")
                        .tags("outcome", "failed")
                        .counters())
                .hasSize(ErrorCode.values().length - 1)
                .allMatch(counter -> counter.count() == 1);
        assertThat(registry.get("millrace.report")
                        .tags("outcome", "cancelled")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("millrace.report")
                        .tags("outcome", "failed")
                        .timer()
                        .count())
                .isEqualTo(ErrorCode.values().length - 1);
    }
}
