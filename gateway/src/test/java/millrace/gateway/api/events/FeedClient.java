package millrace.gateway.api.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.Json;

/** Reads a feed on a connection of its own, as a client of the API does. */
final class FeedClient implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpResponse<InputStream> response;
    private final Thread reader;
    private final List<Received> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger comments = new AtomicInteger();
    private volatile String lastId = "";

    /** An event with data. */
    record Received(String id, String event, JsonNode data) {
        String dataId() {
            return data.path("id").asText();
        }
    }

    /** @param lastId of an earlier stream; empty where there was none */
    FeedClient(URI gateway, String key, String query, String lastId) {
        var request = HttpRequest.newBuilder(gateway.resolve("/v3/batch/events" + query))
                .header("api-key", key);
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        try {
            response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        reader = Thread.ofVirtual().start(this::read);
    }

    private void read() {
        String id = "";
        String event = "";
        String data = "";
        try (var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    event = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.equals(": ping")) {
                    comments.incrementAndGet();
                } else if (line.isEmpty()) {
                    if (!data.isEmpty()) {
                        events.add(new Received(id, event, Json.MAPPER.readTree(data)));
                    }
                    lastId = id;
                    event = "";
                    data = "";
                }
            }
        } catch (IOException e) {
            // It was cut off, or closed here.
        }
    }

    int status() {
        return response.statusCode();
    }

    List<Received> events() {
        return events;
    }

    int comments() {
        return comments.get();
    }

    /** Whether the other side has ended the stream. */
    boolean ended() {
        return !reader.isAlive();
    }

    /** The id to go on with. After {@link #close} it is that of the last event. */
    String lastId() {
        return lastId;
    }

    @Override
    public void close() {
        http.shutdownNow();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
