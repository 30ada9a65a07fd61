package millrace.client.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/**
 * The event feed of the account. A connection that ends is opened again where it ended, at whichever
 * gateway, and what comes twice is left out.
 */
public final class EventFeed {
    /** The service sends something every 15 seconds. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private static final Duration USUAL_RETRY = Duration.ofSeconds(1);
    private static final int MOST_REMEMBERED = 1000;
    private static final int MOST_BYTES = 1 << 16;

    private final URI url;
    private final Http http;
    private final Api api;
    private final RetryDelay retryDelay;
    private final Set<String> seen = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    });

    EventFeed(URI url, Http http, Api api, RetryDelay retryDelay) {
        this.url = url;
        this.http = http;
        this.api = api;
        this.retryDelay = retryDelay;
    }

    /** Takes events, one after the other. */
    public interface Listener {
        /** The feed is at this position, and there was no event. */
        void at(String position);

        /** @return whether more is wanted */
        boolean event(FeedEvent event) throws CliException, InterruptedException;
    }

    /**
     * Follows the feed until the listener has enough.
     *
     * @param types null: all
     * @param since a position, or null: from now on
     * @throws CliException where the service refuses, or does not answer for too long
     */
    public void follow(@Nullable String types, @Nullable String since, Listener listener)
            throws CliException, InterruptedException {
        String position = since == null ? "" : since;
        while (true) {
            String failure = "the feed of " + url + " ended";
            Duration asked = USUAL_RETRY;
            try (Http.Response response = open(types, position)) {
                if (response.status() == 200) {
                    retryDelay.worked();
                    var reader = new SseReader(response.body(), position);
                    try {
                        for (var event = reader.next(); event != null; event = reader.next()) {
                            position = reader.position();
                            if (!deliver(event, position, listener)) {
                                return;
                            }
                        }
                    } finally {
                        position = reader.position();
                        asked = reader.retry() == null ? USUAL_RETRY : reader.retry();
                    }
                } else {
                    String text = new String(response.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
                    CliException refused = api.refused(response, text);
                    if (response.status() != 429 && response.status() < 500) {
                        throw refused;
                    }
                    failure = String.valueOf(refused.getMessage());
                    Duration wanted = RetryAfter.of(response.header("Retry-After"), Instant.now());
                    asked = wanted == null ? USUAL_RETRY : wanted;
                }
            } catch (IOException e) {
                failure = "the feed of " + url + " ended: " + Failures.reason(e);
            }
            if (!retryDelay.pause(Api.firstLine(failure), asked)) {
                throw api.unavailable(failure);
            }
        }
    }

    private Http.Response open(@Nullable String types, String position) throws IOException, CliException {
        Map<String, String> headers = new HashMap<>();
        headers.put("api-key", api.key());
        headers.put("Accept", "text/event-stream");
        if (!position.isEmpty()) {
            headers.put("Last-Event-ID", position);
        }
        URI target =
                URI.create(url + Target.batch("events").with("types", types).text());
        return http.send("GET", target, headers, null, SILENCE);
    }

    private boolean deliver(SseReader.Event event, String position, Listener listener)
            throws CliException, InterruptedException {
        if (event.data().isBlank()) {
            // The service tells the position at the begin, and now and then where nothing happens.
            listener.at(position);
            return true;
        }
        JsonNode data;
        try {
            data = Json.read(event.data());
        } catch (JsonProcessingException e) {
            data = Json.object().put("text", event.data());
        }
        String id = Json.text(data, "id");
        return !(id.isEmpty() || seen.add(id)) || listener.event(new FeedEvent(position, event.type(), data));
    }
}
