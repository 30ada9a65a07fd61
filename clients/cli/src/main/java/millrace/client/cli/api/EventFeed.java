package millrace.client.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Client;
import io.millrace.client.Feed;
import io.millrace.client.MillraceException;
import io.millrace.client.MillraceException.ServiceException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.client.cli.output.Json;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** The event feed of the account. An event that comes twice is left out the second time. */
public final class EventFeed {
    private static final int MOST_REMEMBERED = 1000;

    private final Api api;
    private final Set<String> seen = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    });
    private volatile @Nullable Feed feed;

    EventFeed(Api api) {
        this.api = api;
    }

    /** Takes events, one after the other. */
    public interface Listener {
        /**
         * @param data with id, type, time, and what the type has
         * @return whether more is wanted
         */
        boolean event(String type, JsonNode data) throws CliException, InterruptedException;
    }

    /** Where to go on after the events whose listeners have returned; "" if that is not known yet. */
    public String position() {
        Feed open = feed;
        String position = open == null ? null : open.position();
        return position == null ? "" : position;
    }

    /**
     * Follows the feed until the listener has enough.
     *
     * @param types null: all
     * @param since a position; null or "": from now on
     * @throws CliException if the service refuses, or does not answer for too long
     */
    public void follow(@Nullable String types, @Nullable String since, Listener listener)
            throws CliException, InterruptedException {
        List<String> wanted = types == null ? List.of() : List.of(types);
        String begin = since == null || since.isEmpty() ? null : since;
        try (Feed open = api.client(this::failure).feed(wanted, begin)) {
            feed = open;
            boolean more = true;
            while (more && open.hasNext()) {
                Client.Event event = open.next();
                JsonNode data = Json.tree(event.data());
                String id = Json.text(data, "id");
                if (id.isEmpty() || seen.add(id)) {
                    more = listener.event(event.type(), data);
                }
            }
        } catch (MillraceException e) {
            throw api.failed(e, failure(e));
        }
    }

    private String failure(MillraceException e) {
        return e instanceof ServiceException refused
                ? String.join("\n", Api.sentences(refused))
                : "the feed of " + api.url() + " ended" + (e.getCause() == null ? "" : ": " + Api.reason(e));
    }
}
