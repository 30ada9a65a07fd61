package millrace.client.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A successful answer.
 *
 * @param retryAfter when the service wants to be asked again, or null
 * @param held whether the service held it, so that it may be asked again at once
 * @param replayed whether the report of an Idempotency-Key was there already
 */
public record Answer(JsonNode body, @Nullable Duration retryAfter, boolean held, boolean replayed) {}
