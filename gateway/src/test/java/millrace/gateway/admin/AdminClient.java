package millrace.gateway.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/** Speaks to an admin API. */
record AdminClient(URI address, String key) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    record Said(int code, JsonNode body) {
        List<String> errors() {
            return StreamSupport.stream(body.path("errors").spliterator(), false)
                    .map(JsonNode::asText)
                    .toList();
        }
    }

    Said get(String path) {
        return send("GET", path, null);
    }

    Said post(String path, String body) {
        return send("POST", path, body);
    }

    Said send(String method, String path, @Nullable String body) {
        var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/admin/v1/accounts" + path))
                .header("admin-key", key)
                .method(method, publisher)
                .build();
        try {
            HttpResponse<String> answer =
                    HTTP.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Said(answer.statusCode(), Json.MAPPER.readTree(answer.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
