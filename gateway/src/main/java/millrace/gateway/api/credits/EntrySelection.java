package millrace.gateway.api.credits;

import io.micronaut.http.HttpRequest;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import millrace.gateway.copy.activity.ActivityQueries.EntryPlace;
import millrace.gateway.server.QueryParameters;
import org.jspecify.annotations.Nullable;

/**
 * The ledger entries that a client asks for.
 *
 * @param from inclusive
 * @param to exclusive
 * @param after where the page before ended; null for the newest
 */
record EntrySelection(Instant from, Instant to, @Nullable EntryPlace after, int limit) {
    private static final int LIMIT = 100;
    private static final int MOST = 1000;
    private static final int CURSOR_BYTES = Integer.BYTES + Long.BYTES;

    /** Parses the query; adds a sentence for each parameter that is wrong. */
    static EntrySelection of(HttpRequest<?> http, List<String> errors) {
        Instant from = QueryParameters.beginning(http, "from", errors).orElse(Instant.MIN);
        Instant to = QueryParameters.end(http, "to", errors).orElse(Instant.MAX);
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        Optional<EntryPlace> after = QueryParameters.cursor(http, EntrySelection::place, errors);
        return new EntrySelection(from, to, after.orElse(null), limit);
    }

    static String cursor(EntryPlace place) {
        byte[] bytes = ByteBuffer.allocate(CURSOR_BYTES)
                .putInt(place.day())
                .putLong(place.sequence())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Optional<EntryPlace> place(String cursor) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(cursor);
            if (bytes.length != CURSOR_BYTES) {
                return Optional.empty();
            }
            ByteBuffer in = ByteBuffer.wrap(bytes);
            var place = new EntryPlace(in.getInt(), in.getLong());
            return place.day() < 0 || place.sequence() < 0 ? Optional.empty() : Optional.of(place);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
