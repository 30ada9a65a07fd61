package millrace.contracts.topics;

import static millrace.contracts.samples.SampleValues.REPORT;
import static millrace.contracts.samples.SampleValues.TRACE;
import static millrace.contracts.samples.SampleValues.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.samples.MessageSample;
import millrace.contracts.samples.MessageSamples;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

public class CloudEventTest {
    static final List<MessageSample<?>> OPEN = MessageSamples.open();

    @Test
    void writesTheAttributesAsHeaders() {
        var event = new CloudEvent(
                "id-1", "/millrace/credit-ledger", "millrace.credit-ledger.grant.v1", "acme", at("08:15:30.5"), TRACE);
        List<String> headers = new ArrayList<>();
        event.headers().forEach(h -> headers.add(h.key() + ": " + new String(h.value(), StandardCharsets.UTF_8)));
        assertThat(headers)
                .containsExactly(
                        "ce_specversion: 1.0",
                        "ce_id: id-1",
                        "ce_type: millrace.credit-ledger.grant.v1",
                        "ce_source: /millrace/credit-ledger",
                        "ce_subject: acme",
                        "ce_time: 2026-11-02T08:15:30.500Z",
                        "content-type: application/json",
                        "traceparent: " + TRACE);
    }

    @ParameterizedTest
    @CsvSource({
        "report-events/complete,        millrace.report-events.complete.v1,         {r}.2,               {r}",
        "report-events/processing,      millrace.report-events.processing.v1,       {r}.1,               {r}",
        "report-status/complete,        millrace.report-status.changed.v1,          {r}.2,               {r}",
        "report-status/rendering,       millrace.report-status.changed.v1,          {r}.1.rendering.0.25, {r}",
        "credit-ledger/grant,           millrace.credit-ledger.grant.v1,            acme.1,              acme",
        "credit-ledger/settlement,      millrace.credit-ledger.settlement.v1,       acme.3,              {r}",
        "account-audit/suspended,       millrace.account-audit.suspended.v1,        acme.4,              acme",
        "webhook-attempts/given_up,     millrace.webhook-attempts.given_up.v1,      {r}.2.10,            {r}",
        "webhook-dead-letters/given_up, millrace.webhook-dead-letters.given_up.v1,  {r}.2,               {r}",
        "dataset-versions/published,       millrace.dataset-versions.published.v1,        demographics.2,      demographics",
    })
    void followsFromTheMessage(String sample, String type, String id, String subject) {
        assertThat(event(find(sample))).satisfies(event -> {
            assertThat(event.type()).isEqualTo(type);
            assertThat(event.id()).isEqualTo(id.replace("{r}", REPORT.toString()));
            assertThat(event.subject()).isEqualTo(subject.replace("{r}", REPORT.toString()));
            assertThat(event.traceparent()).isEqualTo(TRACE);
        });
    }

    @Test
    void namesTheTombstone() {
        CloudEvent event = CloudEvent.forgotten(REPORT, at("08:15:30"));
        assertThat(event.type()).isEqualTo("millrace.report-status.forgotten.v1");
        assertThat(event.id()).isEqualTo(REPORT + ".forgotten");
        assertThat(CloudEvent.isErased(event.headers())).isFalse();
    }

    @Test
    void namesTheTombstoneOfAReportThatIsErased() {
        CloudEvent event = CloudEvent.erased(REPORT, at("08:15:30"));
        assertThat(event.type()).isEqualTo("millrace.report-status.erased.v1");
        assertThat(event.id()).isEqualTo(REPORT + ".erased");
        assertThat(CloudEvent.isErased(event.headers())).isTrue();
    }

    @ParameterizedTest
    @FieldSource("OPEN")
    void startsATraceWhereNoRequestDid(MessageSample<?> sample) {
        CloudEvent once = of(sample.value(), null);
        assertThat(once.traceparent()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00");
        assertThat(of(sample.value(), null)).isEqualTo(once);
    }

    public static CloudEvent event(MessageSample<?> sample) {
        return of(sample.value(), TRACE);
    }

    private static CloudEvent of(Object message, @Nullable String trace) {
        return switch (message) {
            case ReportEvent m -> CloudEvent.of(m, trace);
            case ReportStatus m -> CloudEvent.of(m, trace);
            case LedgerEntry m -> CloudEvent.of(m, trace);
            case AccountAudit m -> CloudEvent.of(m, trace);
            case WebhookAttempt m -> CloudEvent.of(m, trace);
            case WebhookDeadLetter m -> CloudEvent.of(m, trace);
            case DataVersionAvailable m -> CloudEvent.of(m, trace);
            default -> throw new AssertionError("add CloudEvent.of for " + message.getClass());
        };
    }

    private static MessageSample<?> find(String name) {
        return OPEN.stream()
                .filter(sample -> sample.toString().equals(name))
                .findAny()
                .orElseThrow();
    }
}
