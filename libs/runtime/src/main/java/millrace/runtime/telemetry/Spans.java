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
 * The spans of one service, of one report a trace. Used as a logger is: made once by each class that needs it. As long as
 * nobody has said where spans go, they are all the same one, which does nothing.
 */
public final class Spans {
    /** Attributes of spans. */
    public static final AttributeKey<String> REPORT = AttributeKey.stringKey("millrace.report_id");

    public static final AttributeKey<String> ACCOUNT = AttributeKey.stringKey("millrace.account_id");
    public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("millrace.outcome");

    private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);
    /** For what has not been sent when the process ends. */
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);

    private static volatile @Nullable Target target;

    private final String service;

    private Spans(String service) {
        this.service = service;
    }

    /** Where spans go, and a tracer for each service in this process. */
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
     * From now on spans are sent there, in batches, by a thread of their own; those that cannot be sent are dropped.
     *
     * @param instance name of this process
     * @return sends what is left and ends it
     */
    public static AutoCloseable export(TracingSettings settings, String instance) {
        URI endpoint = settings.endpoint();
        if (endpoint == null) {
            return () -> {};
        }
        Target made = Target.of(endpoint, settings.percent(), instance);
        target = made;
        return () -> {
            target = null;
            made.processor.shutdown().join(FLUSH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        };
    }

    /** Whether anything comes of a span. */
    public static boolean exported() {
        return target != null;
    }

    /** The span that a request begins with, or a child of the given one: {@code traceparent} as W3C has it, or null. */
    public Span begin(String name, SpanKind kind, @Nullable String traceparent) {
        return begin(name, kind, traceparent, null);
    }

    /** @param since when it began, where that is not now */
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

    /** The trace context for whoever comes after the span; where there is none, the one that was there before it. */
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
