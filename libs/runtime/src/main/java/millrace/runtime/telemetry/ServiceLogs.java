package millrace.runtime.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import java.util.Iterator;
import java.util.UUID;
import millrace.runtime.settings.Setting;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.slf4j.spi.LoggingEventBuilder;

/** Configures the log of a process: lines for people, or one JSON object a line. */
public final class ServiceLogs {
    /** Keys of log events that are about a report, an account or a trace. */
    public static final String REPORT = "report_id";

    public static final String ACCOUNT = "account_id";
    public static final String TRACE = "trace_id";
    /** Key of what is called by a request to an API, as its answer names it. */
    public static final String REQUEST = "request_id";

    /** Has a line for each report that is accepted or ends, at {@code info}. Off by default. */
    private static final Logger REPORTS = LoggerFactory.getLogger("millrace.reports");

    private static final int TRACE_FROM = 3;
    private static final int TRACE_TO = 35;

    private ServiceLogs() {}

    /**
     * @param format {@code text} or {@code json}
     * @param level of Millrace's own log events
     * @param reports whether each report has a line when it is accepted and when it ends
     */
    public record Declared(
            @Setting(value = "text", first = true, doc = "text for people, or json with one object a line")
            String format,

            @Setting(value = "info", doc = "error, warn, info or debug")
            String level,

            @Setting(value = "false", doc = "whether each report leaves a line when it is accepted and when it ends")
            boolean reports) {
        public static final String PREFIX = "log";

        public Declared {
            if (!format.equals("text") && !format.equals("json")) {
                throw new IllegalArgumentException("format must be text or json: " + format);
            }
            if (Level.toLevel(level, null) == null) {
                throw new IllegalArgumentException("level must be error, warn, info or debug: " + level);
            }
        }

        /** Whether programs read the log. */
        public boolean isJson() {
            return format.equals("json");
        }
    }

    public static void configure(Declared declared) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            SLF4JBridgeHandler.removeHandlersForRootLogger();
            SLF4JBridgeHandler.install();
            configure(context, declared);
        }
    }

    static void configure(LoggerContext context, Declared declared) {
        context.getLogger("millrace").setLevel(Level.toLevel(declared.level()));
        context.getLogger(REPORTS.getName()).setLevel(declared.reports() ? Level.INFO : Level.OFF);
        if (declared.isJson()) {
            json(context);
        }
    }

    /**
     * Logs what happened to a report, where {@code log.reports} is on.
     *
     * @param outcome one word or more, for example {@code accepted}
     */
    public static void report(UUID id, String account, String traceparent, String outcome) {
        if (REPORTS.isInfoEnabled()) {
            traced(REPORTS.atInfo(), traceparent)
                    .addKeyValue(REPORT, id)
                    .addKeyValue(ACCOUNT, account)
                    .log("report {} reportId={} accountId={}", outcome, id, account);
        }
    }

    /** Adds the trace id of a W3C {@code traceparent} to a log event. */
    public static LoggingEventBuilder traced(LoggingEventBuilder event, String traceparent) {
        return traceparent.length() > TRACE_TO
                ? event.addKeyValue(TRACE, traceparent.substring(TRACE_FROM, TRACE_TO))
                : event;
    }

    private static void json(LoggerContext context) {
        Iterator<Appender<ILoggingEvent>> appenders =
                context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (appenders.hasNext()) {
            if (appenders.next() instanceof ConsoleAppender<ILoggingEvent> console) {
                var encoder = new LogstashEncoder();
                encoder.setContext(context);
                encoder.setTimeZone("UTC");
                encoder.start();
                console.stop();
                console.setEncoder(encoder);
                console.start();
            }
        }
    }
}
