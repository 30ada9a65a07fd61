package millrace.runtime.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class ServiceLogsTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void anEventIsOneObjectThatNamesItsReportAndItsTrace() throws Exception {
        PrintStream real = System.err;
        var bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            var context = new LoggerContext();
            context.setMDCAdapter(new LogbackMDCAdapter());
            var console = new ConsoleAppender<ILoggingEvent>();
            console.setContext(context);
            console.setTarget("System.err");
            context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
            ServiceLogs.configure(context, new ServiceLogs.Declared("json", "info", false));
            Logger log = context.getLogger("millrace.Test");
            log.debug("not this one");
            ServiceLogs.traced(log.atWarn(), TRACE)
                    .addKeyValue(ServiceLogs.REPORT, "r-1")
                    .setCause(new IllegalStateException("broken"))
                    .log("report {} failed", "r-1");
        } finally {
            System.setErr(real);
        }
        JsonNode event = new ObjectMapper().readTree(bytes.toString(StandardCharsets.UTF_8));
        assertThat(event.path("report_id").asText()).isEqualTo("r-1");
        assertThat(event.path("trace_id").asText()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(event.path("message").asText()).isEqualTo("report r-1 failed");
        assertThat(event.path("level").asText()).isEqualTo("WARN");
        assertThat(event.path("stack_trace").asText()).contains("broken");
        assertThat(event.path("@timestamp").asText()).endsWith("Z");
    }

    @Test
    void reportsLeaveALineWhereThatIsAskedFor() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var reports = context.getLogger("millrace.reports");
        var events = new ListAppender<ILoggingEvent>();
        events.start();
        reports.addAppender(events);
        UUID id = UUID.randomUUID();
        try {
            ServiceLogs.configure(context, new ServiceLogs.Declared("text", "debug", false));
            ServiceLogs.report(id, "acme", TRACE, "accepted");
            ServiceLogs.configure(context, new ServiceLogs.Declared("text", "warn", true));
            ServiceLogs.report(id, "acme", TRACE, "complete");
        } finally {
            reports.detachAppender(events);
            context.getLogger("millrace").setLevel(null);
            reports.setLevel(null);
        }
        assertThat(events.list)
                .extracting(ILoggingEvent::toString)
                .containsExactly("[INFO] report complete reportId=" + id + " accountId=acme");
    }

    @Test
    void whatIsNoFormatOrLevelIsRefused() {
        assertThatThrownBy(() -> new ServiceLogs.Declared("xml", "info", false))
                .hasMessage("format must be text or json: xml");
        assertThatThrownBy(() -> new ServiceLogs.Declared("json", "loud", false))
                .hasMessage("level must be error, warn, info or debug: loud");
    }
}
