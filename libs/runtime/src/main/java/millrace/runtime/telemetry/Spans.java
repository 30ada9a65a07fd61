package millrace.runtime.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import millrace.runtime.settings.TracingSettings;
import org.jspecify.annotations.Nullable;

/**
 * Creates the spans of one service; the spans of a report are one trace. A class that needs it
 * keeps an instance, as it does a logger. Until {@link #export} is called, every span is the same
 * no-op.
 */
public final class Spans {
    /** Attributes of spans. */
    public static final AttributeKey<String> REPORT = AttributeKey.stringKey("millrace.report_id");

    public static final AttributeKey<String> ACCOUNT = AttributeKey.stringKey("millrace.account_id");
    public static final AttributeKey<String> REQUEST = AttributeKey.stringKey("millrace.request_id");
    public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("millrace.outcome");

    private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);
    /** For spans that have not been sent when the process ends. */
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);

    private static volatile @Nullable Target target;

    private final String service;

    private Spans(String service) {
        this.service = service;
    }

    /** The exporter of spans, with a tracer for each service in this process. */
    private record Target(SpanProcessor processor, Sampler sampler, String instance, Map<String, Tracer> tracers) {
        static Target of(URI endpoint, int percent, String instance) {
            var exporter = OtlpHttpSpanExporter.builder()
                    .setEndpoint(endpoint.toString())
                    .setTimeout(EXPORT_TIMEOUT)
                    .build();
            return new Target(
                    BatchSpanProcessor.builder(exporter).build(),
                    Sampler.parentBased(Sampler.traceIdRatioBased(percent / 100.0)),
                    instance,
                    new ConcurrentHashMap<>());
        }

        Tracer tracer(String service) {
            return tracers.computeIfAbsent(service, name -> SdkTracerProvider.builder()
                    .addSpanProcessor(processor)
                    .setSampler(sampler)
                    .setResource(Resource.create(Attributes.builder()
                            .put("service.namespace", "millrace")
                            .put("service.name", "millrace-" + name)
                            .put("service.instance.id", instance)
                            .build()))
                    .build()
                    .get("millrace"));
        }
    }

    /** @param service {@code gateway}, {@code processor} or {@code notifier} */
    public static Spans of(String service) {
        return new Spans(service);
    }

    /**
     * Exports spans from now on, in batches, on a thread of its own. Drops spans that cannot be
     * sent.
     *
     * @param instance name of this process
     * @return flushes the remaining spans and ends the export
     */
    public static AutoCloseable export(TracingSettings settings, String instance) {
        URI endpoint = settings.endpoint();
        if (endpoint == null) {
            return () -> {};
        }
        Target created = Target.of(endpoint, settings.percent(), instance);
        target = created;
        return () -> {
            target = null;
            created.processor.shutdown().join(FLUSH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        };
    }

    /** Whether spans are exported. */
    public static boolean exported() {
        return target != null;
    }

    /** Begins a root span, or a child of the given W3C {@code traceparent}. */
    public Span begin(String name, SpanKind kind, @Nullable String traceparent) {
        return begin(name, kind, traceparent, null);
    }

    /** @param since when the span began, or null for now */
    public Span begin(String name, SpanKind kind, @Nullable String traceparent, @Nullable Instant since) {
        Target to = target;
        if (to == null) {
            return Span.getInvalid();
        }
        SpanBuilder span =
                to.tracer(service).spanBuilder(name).setSpanKind(kind).setParent(parent(traceparent));
        if (since != null) {
            span.setStartTimestamp(since);
        }
        return span.startSpan();
    }

    /**
     * The trace context for what follows the span; the context before it where the span is a no-op.
     */
    public static String traceparent(Span span, String before) {
        SpanContext context = span.getSpanContext();
        return context.isValid()
                ? "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                        + context.getTraceFlags().asHex()
                : before;
    }

    private static Context parent(@Nullable String traceparent) {
        // 00-<32 hexadecimal digits>-<16>-<2>
        if (traceparent == null || traceparent.length() < 55) {
            return Context.root();
        }
        SpanContext context = SpanContext.createFromRemoteParent(
                traceparent.substring(3, 35),
                traceparent.substring(36, 52),
                TraceFlags.fromHex(traceparent, 53),
                TraceState.getDefault());
        return Context.root().with(Span.wrap(context));
    }
}
