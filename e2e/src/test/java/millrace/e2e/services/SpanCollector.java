package millrace.e2e.services;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Receives spans with OTLP over HTTP. */
final class SpanCollector implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Seen> spans = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /** @param parent empty for the first span of a trace */
    record Seen(String service, String name, String trace, String id, String parent, Map<String, String> attributes) {}

    private SpanCollector(HttpServer server) {
        this.server = server;
    }

    static SpanCollector start() throws IOException {
        var collector =
                new SpanCollector(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        collector.server.createContext("/v1/traces", collector::take);
        collector.server.start();
        return collector;
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    List<Seen> of(String trace) {
        return spans.stream().filter(s -> s.trace().equals(trace)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
                    .getResourceSpansList()
                    .forEach(of -> spans.addAll(read(of).toList()));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static Stream<Seen> read(ResourceSpans spans) {
        String service = texts(spans.getResource().getAttributesList()).getOrDefault("service.name", "");
        return spans.getScopeSpansList().stream()
                .flatMap(scope -> scope.getSpansList().stream())
                .map(span -> new Seen(
                        service,
                        span.getName(),
                        HEX.formatHex(span.getTraceId().toByteArray()),
                        HEX.formatHex(span.getSpanId().toByteArray()),
                        HEX.formatHex(span.getParentSpanId().toByteArray()),
                        texts(span.getAttributesList())));
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        return attributes.stream()
                .filter(a -> a.getValue().hasStringValue())
                .collect(Collectors.toMap(KeyValue::getKey, a -> a.getValue().getStringValue()));
    }
}
