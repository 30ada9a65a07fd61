package millrace.gateway.api.agents;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.RequestBodyReader;
import millrace.gateway.settings.GatewaySettings;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages of the Model Context Protocol over streamable HTTP, and answers each with JSON. There are no sessions, so
 * that any gateway answers any message, and nothing to listen to: GET and DELETE are 405, as the protocol has it then.
 */
@Controller
@BlockingRoutes
final class AgentRoutes {
    /**
     * Bytes, many more than a model writes into a call. Decoded they are up to 25 times as many, and stay while a report
     * is waited for.
     */
    private static final int LONGEST = 64 << 10;

    private static final String VERSION = "MCP-Protocol-Version";

    private final AgentProtocol protocol;
    private final RequestBodyReader bodies;
    private final List<String> origins;

    AgentRoutes(AgentProtocol protocol, RequestBodyReader bodies, GatewaySettings settings) {
        this.protocol = protocol;
        this.bodies = bodies;
        this.origins = settings.allowedOrigins();
    }

    @Post("/mcp")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> message(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        if (http.getContentType()
                .filter(type -> type.matches(MediaType.APPLICATION_JSON_TYPE))
                .isEmpty()) {
            var answer = JsonResponses.problem(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type: must be application/json.");
            throw RequestBodyReader.refusal(http, body, answer);
        }
        byte[] json = bodies.text(http, body);
        checkOrigin(http);
        if (json.length > LONGEST) {
            throw new RefusedException(
                    ProblemCode.BODY_TOO_LARGE, "The body is larger than the " + LONGEST + " bytes that are accepted.");
        }
        JSONRPCMessage message = parsed(text(json));
        boolean first =
                message instanceof JSONRPCRequest request && request.method().equals(McpSchema.METHOD_INITIALIZE);
        if (!first) {
            checkVersion(http);
        }
        return switch (message) {
            case JSONRPCRequest request ->
                HttpResponse.ok(protocol.answer(http, request)).contentType(MediaType.APPLICATION_JSON_TYPE);
            case JSONRPCNotification notification -> {
                protocol.heard(notification);
                yield HttpResponse.accepted();
            }
            default -> throw malformed(); // the answer to a question that was never asked
        };
    }

    /** The protocol asks for it: the framework lets a page in whose own name leads here by now (DNS rebinding). */
    private void checkOrigin(HttpRequest<?> http) {
        @Nullable String origin = http.getHeaders().get("Origin");
        if (origin != null && !origins.contains(origin)) {
            throw new RefusedException(JsonResponses.foreignOrigin(origin));
        }
    }

    /** A client that sends none is one of the version before the header. */
    private void checkVersion(HttpRequest<?> http) {
        @Nullable String version = http.getHeaders().get(VERSION);
        if (version != null && !protocol.protocolVersions().contains(version)) {
            throw new RefusedException(
                    ProblemCode.INVALID_REQUEST,
                    VERSION + ": must be one of " + String.join(", ", protocol.protocolVersions()) + ".");
        }
    }

    /** Strictly: a key or name with U+FFFD in place of its letters would be another one. */
    private static String text(byte[] json) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(json))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new RefusedException(ProblemCode.INVALID_REQUEST, "The body must be text in UTF-8.");
        }
    }

    private JSONRPCMessage parsed(String json) throws IOException {
        if (!json.stripLeading().startsWith("{")) {
            throw malformed();
        }
        try {
            JSONRPCMessage message = protocol.parsed(json);
            if (!message.jsonrpc().equals(McpSchema.JSONRPC_VERSION)) {
                throw malformed();
            }
            return message;
        } catch (IOException | IllegalArgumentException e) {
            throw malformed();
        }
    }

    private static RefusedException malformed() {
        return new RefusedException(
                ProblemCode.INVALID_REQUEST, "The body must be one request or notification of JSON-RPC 2.0.");
    }
}
