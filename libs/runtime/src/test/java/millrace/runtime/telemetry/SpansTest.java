package millrace.runtime.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.net.URI;
import millrace.runtime.settings.TracingSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpansTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";
    /** Nobody listens there; what is not sent is dropped. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9/v1/traces");

    private final Spans spans = Spans.of("mill");

    @Test
    void noSpanIsMadeUntilTheyAreExported() {
        Span span = begin(TRACE + "01");
        assertThat(span).isSameAs(Span.getInvalid());
        assertThat(Spans.exported()).isFalse();
        assertThat(Spans.traceparent(span, TRACE + "01")).isEqualTo(TRACE + "01");
    }

    @Test
    void aSpanGoesOnWithTheTraceThatItIsGiven() throws Exception {
        try (AutoCloseable _ = Spans.export(new TracingSettings(NOWHERE, 0), "mill-1")) {
            Span span = begin(TRACE + "01");
            assertThat(span.isRecording()).isTrue();
            assertThat(Spans.traceparent(span, ""))
                    .matches("00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01")
                    .isNotEqualTo(TRACE + "01");
        }
        assertThat(Spans.exported()).isFalse();
    }

    @Test
    void whoseCallerDoesNotRecordIsNotRecorded() throws Exception {
        try (AutoCloseable _ = Spans.export(new TracingSettings(NOWHERE, 100), "mill-1")) {
            Span span = begin(TRACE + "00");
            assertThat(span.isRecording()).isFalse();
            assertThat(Spans.traceparent(span, "")).endsWith("-00");
        }
    }

    @Test
    void aTraceThatBeginsHereIsRecordedByShare() throws Exception {
        try (AutoCloseable _ = Spans.export(new TracingSettings(NOWHERE, 100), "mill-1")) {
            assertThat(begin(null).isRecording()).isTrue();
        }
        try (AutoCloseable _ = Spans.export(new TracingSettings(NOWHERE, 0), "mill-1")) {
            assertThat(begin(null).isRecording()).isFalse();
        }
    }

    @Test
    void whatIsNoAddressOrShareIsRefused() {
        assertThatThrownBy(() -> new TracingSettings(URI.create("collector:4317"), 100))
                .hasMessage("endpoint must be an http or https address: collector:4317");
        assertThatThrownBy(() -> new TracingSettings(null, 101)).hasMessage("percent must be from 0 to 100: 101");
    }

    private Span begin(@Nullable String traceparent) {
        return spans.begin("grind", SpanKind.INTERNAL, traceparent);
    }
}
