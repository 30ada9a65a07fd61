package millrace.client.cli.api;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of the feed.
 *
 * @param position where the feed goes on after it, at any gateway; "" where it has none
 * @param data with id, type, time, and what the type has
 */
public record FeedEvent(String position, String type, JsonNode data) {}
