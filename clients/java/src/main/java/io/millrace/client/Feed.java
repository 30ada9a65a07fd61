package io.millrace.client;

import io.millrace.client.MillraceException.NoAnswerException;
import io.millrace.client.MillraceException.ServiceException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The events of the account as they happen, without end. A connection that breaks is resumed after the last event that
 * came whole. One thread reads; another one may close.
 */
public final class Feed implements Iterator<Client.Event>, AutoCloseable {
    /** The feed sends a line at least every 15 seconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(45);

    private final Http http;
    private final Http.Call call;
    private final Http.Retries retries;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private String position;
    private volatile String done;
    private double pause = 1;
    private volatile Http.Answer answer;
    private volatile boolean closed;
    private InputStream in;
    private boolean first;
    private boolean afterCr;
    private Client.Event next;

    Feed(Http http, Collection<String> types, String position) {
        this.http = http;
        this.retries = http.retries();
        this.call = http.call("GET", "/v3/batch/events")
                .query(types.isEmpty() ? Map.of() : Map.of("types", String.join(",", types)));
        this.position = position;
        this.done = position;
    }

    /**
     * Where to go on: give it to {@link Client#feed}. It is after an event once the next one is asked for, so none is
     * missed. The service also sends it while nothing happens. Null if it is not known yet.
     */
    public String position() {
        return done;
    }

    /** Waits for the next event. False once the feed is closed. */
    @Override
    public boolean hasNext() {
        while (next == null && !closed) {
            done = position;
            try {
                if (answer == null) {
                    connect();
                }
                next = read();
            } catch (ServiceException | NoAnswerException e) {
                if (answer != null && e.retryable()) {
                    e.retryAfter = pause;
                }
                disconnect();
                if (!closed) {
                    retries.pause(e);
                }
            }
        }
        return next != null;
    }

    @Override
    public Client.Event next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Client.Event event = next;
        next = null;
        return event;
    }

    @Override
    public void close() {
        closed = true;
        disconnect();
    }

    private void connect() {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("accept", "text/event-stream"));
        if (position != null) {
            headers.put("last-event-id", position);
        }
        Http.Answer opened = http.open(call.headers(headers).request(TIMEOUT), false);
        if (opened.status() != 200) {
            try (opened) {
                throw opened.refusal();
            }
        }
        in = new BufferedInputStream(opened, Http.CHUNK);
        first = true;
        afterCr = false;
        retries.progress();
        answer = opened;
        if (closed) {
            disconnect();
        }
    }

    private void disconnect() {
        Http.Answer open = answer;
        answer = null;
        if (open != null) {
            open.close();
        }
    }

    private Client.Event read() {
        String type = "message";
        String id = null;
        StringBuilder data = null;
        while (true) {
            String text = line();
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
            if (text.isEmpty()) {
                position = id == null ? position : id;
                if (data != null && !data.toString().isBlank()) {
                    return new Client.Event(position, type, eventData(data.toString()));
                }
                // It has a position alone.
                done = position;
                type = "message";
                id = null;
                data = null;
            } else if (field.equals("data")) {
                data = data == null
                        ? new StringBuilder(value)
                        : data.append('\n').append(value);
            } else if (field.equals("event")) {
                type = value;
            } else if (field.equals("id") && value.indexOf(0) < 0) {
                id = value;
            } else if (field.equals("retry") && Http.NUMBER.matcher(value).matches()) {
                pause = Long.parseLong(value) / 1000.0;
            }
        }
    }

    /** The next line, which ends in LF, CR or CR LF. */
    private String line() {
        line.reset();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                boolean second = afterCr && b == '\n';
                afterCr = b == '\r';
                if (second) {
                    continue;
                }
                if (b == '\r' || b == '\n') {
                    String text = line.toString(StandardCharsets.UTF_8);
                    text = first && text.startsWith("\ufeff") ? text.substring(1) : text;
                    first = false;
                    return text;
                }
                line.write(b);
                if (line.size() > Http.MOST_BYTES) {
                    throw unreadable("A line of the feed has more than " + Http.MOST_BYTES + " bytes.", "");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new NoAnswerException("The feed has ended.", true, null);
    }

    private Object eventData(String text) {
        try {
            return Json.read(text);
        } catch (IllegalArgumentException e) {
            throw unreadable("An event of the feed is not JSON.", text);
        }
    }

    private static ServiceException unreadable(String error, String text) {
        return new ServiceException(List.of(error), new Client.Answer(200, name -> null, text));
    }
}
