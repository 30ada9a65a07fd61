package millrace.simulation.invariants;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.simulation.plan.ReportKind;
import millrace.simulation.processor.SampleCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportInvariantsTest {
    private static final UUID REPORT = SampleCommands.id("report");
    private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
    private static final RequestReport REQUEST = SampleCommands.request(REPORT, 1, NOW);

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anInnocentReportIsNotBlamedForOneInterruption(int interruptions) {
        var invariants = new ReportInvariants(Map.of(REPORT, ReportKind.LONG), report -> interruptions);

        assertThatThrownBy(() -> invariants.take(failed())).hasMessageContaining("an innocent LONG report fails");
    }

    @Test
    void aReportThatWasCutOffTwiceWhileItWasAloneMayBeBlamed() {
        var invariants = new ReportInvariants(Map.of(REPORT, ReportKind.LONG), report -> 2);

        assertThatCode(() -> invariants.take(failed())).doesNotThrowAnyException();
    }

    private static ReportEvent failed() {
        var error = new ReportStatus.Failure(ErrorCode.RENDER_FAILED, "It has ended its worker twice.", true);
        return ReportEvent.of(
                REQUEST.undecidedStatus("a").failed(1, error, NOW),
                REQUEST.request().query());
    }
}
