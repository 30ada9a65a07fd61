package millrace.client.cli;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An event feed of prepared events: each connection gets those after its position, and may end early. */
final class TestFeed implements TestService.Reply {
    static final String TARGET = "GET /v3/batch/events";
    private static final String START = "start";

    private final List<String> events = new ArrayList<>();
    private final List<String> positions = new ArrayList<>();
    /** How many events each connection gets before it breaks; 0: all, and it stays open. */
    private final List<Integer> breaks = new ArrayList<>();

    /** @param json data of the event; it has an id */
    synchronized TestFeed event(String type, String json) {
        events.add("event: " + type + "\ndata: " + json + "\n\n");
        notifyAll();
        return this;
    }

    /** The next connection that has no limit yet ends after so many events, in the middle of one more. */
    synchronized TestFeed breakAfter(int events) {
        breaks.add(events);
        return this;
    }

    /** Where connections began. */
    synchronized List<String> positions() {
        return List.copyOf(positions);
    }

    @Override
    public void to(HttpExchange exchange) throws IOException {
        String position = exchange.getRequestHeaders().getFirst("Last-Event-ID");
        int next = position == null || position.equals(START) ? 0 : Integer.parseInt(position.substring(1));
        int left;
        synchronized (this) {
            positions.add(String.valueOf(position));
            left = breaks.isEmpty() ? 0 : breaks.removeFirst();
        }
        boolean open = left == 0;
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        // A position without an event, before the first one comes, and once more with a comment.
        String begin = "id: " + (position == null ? START : position) + "\ndata: \n\n";
        write(out, "retry: 3\n" + begin + ": ping\n" + begin);
        for (; open || left > 0; left--) {
            write(out, "id: p" + (next + 1) + "\n" + await(next++));
        }
        write(out, "id: p999\nevent: report\ndata: {\"id\":\"half an ev");
    }

    private synchronized String await(int number) throws IOException {
        try {
            while (events.size() <= number) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return events.get(number);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
