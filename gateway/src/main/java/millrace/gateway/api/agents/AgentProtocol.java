package millrace.gateway.api.agents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.types.files.StreamedFile;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.ProtocolVersions;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.Json;
import millrace.gateway.api.documents.DocumentSite;
import millrace.gateway.api.documents.Guide;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The protocol's own library, between our HTTP server and the tools. It runs on the thread of the request and keeps nothing
 * between messages. Safe for use by many threads.
 */
@Singleton
final class AgentProtocol implements McpStatelessServerTransport {
    private static final Logger LOG = LoggerFactory.getLogger(AgentProtocol.class);

    private static final String CALL = "call";
    private static final String MARKDOWN = "text/markdown";

    private static final String INSTRUCTIONS =
            "Reports on data, made from what an account may ask for. Find the dataset,"
                    + " its metrics and periods with list_datasets, and names that have data with find_entities. Have the request"
                    + " quoted with quote_report, which is free, and send it with the quote to request_report, which spends credits:"
                    + " show a person the price first. Resources are the guides.";

    /** Arguments are checked by what the tools call, whose sentences name what is accepted; results are what the API answers. */
    private static final JsonSchemaValidator UNCHECKED =
            (schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(null);

    private final McpJsonMapper json = new JacksonMcpJsonMapper(JsonMapper.builder(
                    JsonFactory.builder().recyclerPool(Json.buffers()).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build());

    private @Nullable McpStatelessServerHandler handler;

    AgentProtocol(AgentTools tools, ToolDefinitions definitions) {
        String version =
                Objects.requireNonNullElse(AgentProtocol.class.getPackage().getImplementationVersion(), "development");
        var unused = McpServer.sync(this)
                .serverInfo("millrace", version)
                .instructions(INSTRUCTIONS)
                .capabilities(ServerCapabilities.builder()
                        .tools(false)
                        .resources(false, false)
                        .build())
                .jsonMapper(json)
                .jsonSchemaValidator(UNCHECKED)
                .validateToolInputs(false)
                .immediateExecution(true)
                .tools(definitions.all().stream()
                        .map(tool -> new SyncToolSpecification(
                                tool,
                                (context, asked) -> answer(call(context), asked.arguments(), tools.named(tool.name()))))
                        .toList())
                .resources(Guide.Audience.CLIENTS.guides().stream()
                        .map(AgentProtocol::resource)
                        .toList())
                .build();
    }

    /** One message: the request that brought it, and what has gone wrong in a way that no tool expects. */
    private static final class Call {
        private final HttpRequest<?> http;
        private @Nullable RuntimeException failure;

        Call(HttpRequest<?> http) {
            this.http = http;
        }
    }

    private static Call call(McpTransportContext context) {
        return (Call) context.get(CALL);
    }

    @Override
    public void setMcpHandler(McpStatelessServerHandler mcpHandler) {
        handler = mcpHandler;
    }

    /** Without 2025-03-26, which has messages in batches. */
    @Override
    public List<String> protocolVersions() {
        return List.of(ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    /**
     * @throws IOException if the text is not JSON
     * @throws IllegalArgumentException if it is no message
     */
    JSONRPCMessage parsed(String text) throws IOException {
        return McpSchema.deserializeJsonRpcMessage(json, text);
    }

    /** Answers a request as JSON. Blocks for as long as its tool does. */
    byte[] answer(HttpRequest<?> http, JSONRPCRequest request) throws IOException {
        // Half a pair of surrogates that the client sent becomes a question mark.
        return json.writeValueAsString(response(new Call(http), request)).getBytes(StandardCharsets.UTF_8);
    }

    /** Takes note of what needs no answer. */
    void heard(JSONRPCNotification notification) {
        handler().handleNotification(McpTransportContext.EMPTY, notification).block();
    }

    private McpStatelessServerHandler handler() {
        return Objects.requireNonNull(handler);
    }

    private JSONRPCResponse response(Call call, JSONRPCRequest request) {
        Object params = Objects.requireNonNullElse(request.params(), Map.of());
        if (!(params instanceof Map<?, ?>)) {
            return wrongParameters(request);
        }
        JSONRPCResponse response;
        try {
            response = Objects.requireNonNull(handler()
                    .handleRequest(
                            McpTransportContext.create(Map.of(CALL, call)),
                            new JSONRPCRequest(request.method(), request.id(), params))
                    .block());
        } catch (IllegalArgumentException e) {
            // The library takes the parameters of some methods outside of its own handling.
            response = wrongParameters(request);
        }
        if (call.failure != null) {
            throw call.failure; // it is answered and logged as of any route
        }
        return response.error() != null && response.error().code() == McpSchema.ErrorCodes.INTERNAL_ERROR
                ? wrongParameters(request)
                : response;
    }

    private static JSONRPCResponse wrongParameters(JSONRPCRequest request) {
        return JSONRPCResponse.error(
                request.id(),
                new JSONRPCResponse.JSONRPCError(
                        McpSchema.ErrorCodes.INVALID_PARAMS,
                        "params: must be what " + QueryParameters.shown(request.method()) + " takes."));
    }

    private static CallToolResult answer(Call call, @Nullable Map<String, Object> arguments, AgentTools.Tool tool) {
        try {
            return result(call.http, tool.answer(new ToolCall(call.http, arguments)));
        } catch (RefusedException e) {
            return result(call.http, e.response());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return result(
                    call.http,
                    JsonResponses.unavailable(ProblemCode.GATEWAY_STOPPING, "This gateway is stopping; try again."));
        } catch (IOException e) {
            throw failed(call, new UncheckedIOException(e));
        } catch (RuntimeException e) {
            throw failed(call, e);
        }
    }

    private static RuntimeException failed(Call call, RuntimeException failure) {
        call.failure = failure;
        return failure;
    }

    /** What a route would answer, as the result of a tool: a problem is an error, of which the model reads the sentences. */
    private static CallToolResult result(HttpRequest<?> http, HttpResponse<?> answer) {
        boolean error = answer.code() >= 400;
        if (error && answer instanceof MutableHttpResponse<?> problem) {
            JsonResponses.complete(http, problem);
        }
        String text;
        try {
            text = text(answer);
        } catch (IOException e) {
            LOG.warn("report file not read to the end of a preview error={}", e.toString());
            return result(
                    http,
                    JsonResponses.unavailable(
                            ProblemCode.STORAGE_UNAVAILABLE, "The report's file cannot be read at the moment."));
        }
        CallToolResult.Builder result =
                CallToolResult.builder().addTextContent(text).isError(error);
        String wait = answer.getHeaders().get("Retry-After");
        if (error && wait != null) {
            result.addTextContent("Wait " + wait + " seconds before the next try.");
        }
        return error
                ? result.build()
                : result.structuredContent(new RawValue(text)).build();
    }

    private static String text(HttpResponse<?> answer) throws IOException {
        return switch (answer.getBody().orElseThrow()) {
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case StreamedFile file -> {
                try (InputStream in = file.getInputStream()) {
                    yield new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
            case Object other -> throw new IllegalStateException("no JSON: " + other.getClass());
        };
    }

    private static SyncResourceSpecification resource(Guide guide) {
        String uri = "millrace:/" + guide.path();
        var described = Resource.builder(uri, guide.label()).mimeType(MARKDOWN).build();
        return new SyncResourceSpecification(described, (context, asked) -> {
            try {
                var text = TextResourceContents.builder(uri, DocumentSite.markdown(guide))
                        .mimeType(MARKDOWN)
                        .build();
                return ReadResourceResult.builder(List.of(text)).build();
            } catch (RuntimeException e) {
                throw failed(call(context), e);
            }
        });
    }
}
