package millrace.gateway.api.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletionStage;
import millrace.catalog.validation.WebhookUrl;
import millrace.contracts.Json;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.RequestBodyReader;
import millrace.runtime.accounts.Accounts;
import millrace.webhook.WebhookSigner;
import org.jspecify.annotations.Nullable;

/** Sends a test event to a URL, and lists the public keys of signatures. */
@Controller("/v3/batch/webhooks")
@BlockingRoutes
final class WebhookRoutes {
    private static final String FIELD = "webhook_url";
    private static final String SHAPE = "The body must be a JSON object with the text field webhook_url and no other.";

    private final RequestBodyReader bodies;
    private final WebhookTestSender test;
    private final Accounts accounts;

    WebhookRoutes(RequestBodyReader bodies, WebhookTestSender test, Accounts accounts) {
        this.bodies = bodies;
        this.test = test;
        this.accounts = accounts;
    }

    private record Answer(String eventType, String payload) {}

    private record Keys(List<String> publicKeys) {}

    /**
     * Public keys that verify {@code v1a} signatures; empty where the account signs {@code v1}
     * only.
     */
    @Get("/keys")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> keys(HttpRequest<?> http) {
        return JsonResponses.ok(new Keys(WebhookSigner.publicKeys(
                accounts.webhookSecrets(ApiKeyFilter.caller(http).accountId()).orElse(List.of()))));
    }

    @Post("/test")
    @RequiredScopes(KeyScope.WEBHOOKS)
    CompletionStage<? extends HttpResponse<byte[]>> test(HttpRequest<?> http, @Nullable @Body InputStream body)
            throws IOException {
        @Nullable String sent = url(bodies.text(http, body));
        if (sent == null) {
            throw new RefusedException(ProblemCode.INVALID_REQUEST, SHAPE);
        }
        String url = WebhookUrl.withScheme(sent);
        WebhookUrl.fault(url).ifPresent(fault -> {
            throw new RefusedException(ProblemCode.INVALID_REQUEST, FIELD + ": " + fault + ".");
        });
        return test.send(ApiKeyFilter.caller(http).accountId(), url).thenApply(failure -> failure.map(
                        sentence -> JsonResponses.problem(ProblemCode.WEBHOOK_TEST_FAILED, FIELD + ": " + sentence))
                .orElseGet(
                        () -> JsonResponses.ok(new Answer(WebhookTestSender.EVENT_TYPE, WebhookTestSender.PAYLOAD))));
    }

    private static @Nullable String url(byte[] json) {
        try {
            JsonNode body = Json.MAPPER.readTree(json);
            return body.size() == 1 && body.path(FIELD).isTextual()
                    ? body.path(FIELD).textValue()
                    : null;
        } catch (IOException e) {
            return null;
        }
    }
}
