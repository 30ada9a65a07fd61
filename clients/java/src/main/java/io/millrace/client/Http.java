package io.millrace.client;

import io.millrace.client.MillraceException.InterruptedCallException;
import io.millrace.client.MillraceException.NoAnswerException;
import io.millrace.client.MillraceException.ServiceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Sends requests, and repeats them while the service is unavailable. */
final class Http {
    /** Status codes with which the service, or a proxy before it, refuses for now. */
    static final Set<Integer> UNAVAILABLE = Set.of(429, 502, 503, 504);

    static final int CHUNK = 64 * 1024;
    /** Bytes of an answer, or of a line of the feed, that are kept in memory at most. Files are not among them. */
    static final int MOST_BYTES = 64 * 1024 * 1024;

    static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private static final byte[] NO_BODY = {};
    private static final double FIRST_PAUSE = 0.5;
    private static final double LONGEST_PAUSE = 10;
    private static final int MOST_REDIRECTS = 5;
    private static final long LONGEST_RETRY_AFTER = Duration.ofDays(1).toSeconds();

    private final String key;
    private final String base;
    private final Duration timeout;
    private final double retryFor;
    private final Transport transport;
    private final Waiting waiting;
    private final Pace pace = new Pace();

    Http(String key, String base, Duration timeout, Duration retryFor, Transport transport, Waiting waiting) {
        this.key = key;
        this.base = base;
        this.timeout = timeout;
        this.retryFor = seconds(retryFor);
        this.transport = transport;
        this.waiting = waiting;
    }

    /** A call of the API with the key. */
    Call call(String method, String path) {
        return new Call(method, path);
    }

    Retries retries() {
        return new Retries();
    }

    /** Asks for a file, which may be in a storage of its own. The key goes to neither. */
    Answer openLink(String method, String link, Map<String, String> headers) {
        URI uri = URI.create(link);
        for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
            Answer answer = open(new Transport.Request(method, uri, headers, NO_BODY, timeout), false);
            String location = answer.header("location");
            if (answer.status() / 100 != 3 || location.isEmpty()) {
                return answer;
            }
            answer.close();
            URI next = uri.resolve(location);
            if (!"https".equalsIgnoreCase(next.getScheme())
                    && !("http".equalsIgnoreCase(next.getScheme()) && "http".equalsIgnoreCase(uri.getScheme()))) {
                throw noAnswer(uri, new IOException("the server leads to " + next + ", which is not safe to follow"));
            }
            uri = next;
        }
        throw noAnswer(uri, new IOException("the server leads in circles"));
    }

    /**
     * Sends a request; the answer may have any status.
     *
     * @param whole whether all of the answer must come within the timeout; otherwise only its next byte must
     */
    Answer open(Transport.Request request, boolean whole) {
        long end = System.nanoTime() + request.timeout().toNanos();
        try {
            return new Answer(transport.send(request), whole, end);
        } catch (InterruptedException e) {
            throw new InterruptedCallException(e);
        } catch (IOException e) {
            throw noAnswer(request.uri(), e);
        }
    }

    private static NoAnswerException noAnswer(URI uri, IOException e) {
        boolean sent = !(e instanceof ConnectException
                || e instanceof UnknownHostException
                || e instanceof HttpConnectTimeoutException);
        return new NoAnswerException(uri.getAuthority() + " does not answer: " + reason(e) + ".", sent, e);
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** In seconds. */
    double timeout() {
        return seconds(timeout);
    }

    double seconds() {
        return waiting.nanoTime() / 1e9;
    }

    void sleep(double seconds) {
        try {
            waiting.pause(Duration.ofNanos((long) (seconds * 1e9)));
        } catch (InterruptedException e) {
            throw new InterruptedCallException(e);
        }
    }

    /** Reads the header Retry-After, a number of seconds or a date; null if it is neither. At most a day. */
    static Duration retryAfter(String header, Instant now) {
        if (header == null) {
            return null;
        }
        String text = header.strip();
        try {
            long seconds = NUMBER.matcher(text).matches()
                    ? Long.parseLong(text)
                    : Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME))
                            .toSeconds();
            return Duration.ofSeconds(Math.max(0, Math.min(seconds, LONGEST_RETRY_AFTER)));
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    static String quote(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /**
     * Slows calls down when the headers {@code RateLimit} of the last answer say that no further one would get
     * through, so that the service need not refuse any.
     */
    private final class Pace {
        private static final Pattern POLICY = Pattern.compile("\"([a-z-]+)\";q=([1-9][0-9]{0,8});w=([0-9]{1,9})");

        /** By policy, as {@link Http#seconds()}. */
        private final Map<String, Double> notBefore = new ConcurrentHashMap<>();

        void await(String method, String path) {
            boolean reads = method.equals("GET") || path.endsWith("/request-validate");
            Double time = notBefore.remove(reads ? "read" : "submit");
            if (time != null && time > seconds()) {
                sleep(time - seconds());
            }
        }

        void heard(Answer answer) {
            Matcher policy = POLICY.matcher(answer.header("ratelimit-policy"));
            while (policy.find()) {
                double each = Double.parseDouble(policy.group(3)) / Double.parseDouble(policy.group(2));
                if (answer.header("ratelimit").contains('"' + policy.group(1) + "\";r=0")) {
                    notBefore.put(policy.group(1), seconds() + Math.min(each, LONGEST_PAUSE));
                }
            }
        }
    }

    /** One call of the API, which is repeated while the service is unavailable. */
    final class Call {
        private final String method;
        private final String path;
        private String query = "";
        private String json;
        private Map<String, String> headers = Map.of();
        private boolean repeatable = true;
        private boolean inDoubt;
        private Client.Answer answer;

        Call(String method, String path) {
            this.method = method;
            this.path = path;
        }

        Call query(Map<String, ?> parameters) {
            query = parameters.isEmpty()
                    ? ""
                    : parameters.entrySet().stream()
                            .map(one -> quote(one.getKey()) + "=" + quote(String.valueOf(one.getValue())))
                            .collect(Collectors.joining("&", "?", ""));
            return this;
        }

        Call body(Object value) {
            return json(value == null ? null : Json.write(value));
        }

        /** @param text of the body, or null for none */
        Call json(String text) {
            json = text;
            return this;
        }

        /** A POST that is repeated only if it cannot have been carried out. */
        Call once() {
            repeatable = false;
            return this;
        }

        /** Whether a try that failed may have been carried out. */
        boolean inDoubt() {
            return inDoubt;
        }

        /** In how many seconds the last answer asks for the next call, or null. */
        Double retryAfter() {
            Duration after = answer.retryAfter();
            return after == null ? null : seconds(after);
        }

        /** Whether the service held the last answer. */
        boolean held() {
            return answer.held();
        }

        Call headers(Map<String, String> more) {
            headers = more;
            return this;
        }

        Transport.Request request(Duration limit) {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("accept", "application/json");
            if (json != null) {
                all.put("content-type", "application/json");
            }
            headers.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
            all.put("api-key", key);
            byte[] body = json == null ? NO_BODY : json.getBytes(StandardCharsets.UTF_8);
            return new Transport.Request(method, URI.create(base + path + query), all, body, limit);
        }

        /** The answer as JSON. */
        Object send() {
            String text = answer().text();
            if (answer.status() == 204) {
                return Map.of();
            }
            try {
                return Json.read(text);
            } catch (IllegalArgumentException e) {
                throw new ServiceException(
                        List.of("The answer to " + method + " " + path
                                + " is not JSON; is the client's address that of the service?"),
                        answer);
            }
        }

        /** The answer as it came. */
        Client.Answer answer() {
            Transport.Request request = request(timeout);
            var retries = new Retries();
            while (true) {
                pace.await(method, path);
                try (Answer opened = open(request, true)) {
                    pace.heard(opened);
                    if (opened.status() / 100 != 2) {
                        throw opened.refusal();
                    }
                    answer = opened.whole();
                    return answer;
                } catch (ServiceException | NoAnswerException e) {
                    // Of other calls than a submission 503 does not say that nothing was carried out.
                    e.ambiguous |= !repeatable && e instanceof ServiceException refused && refused.status() == 503;
                    if (e.ambiguous) {
                        if (!repeatable) {
                            throw e;
                        }
                        inDoubt = true;
                    }
                    retries.pause(e);
                }
            }
        }
    }

    /** An answer, whose body is read from it. If it breaks off or takes too long, reading fails. */
    final class Answer extends InputStream {
        private final Transport.Response response;
        private final boolean whole;
        private final long end;

        /** @param end by which a whole answer must have come, as {@link System#nanoTime} */
        Answer(Transport.Response response, boolean whole, long end) {
            this.response = response;
            this.whole = whole;
            this.end = end;
        }

        int status() {
            return response.status();
        }

        /** Empty if there is none. */
        String header(String name) {
            String header = response.headers().apply(name);
            return header == null ? "" : header;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes) {
            return read(bytes, 0, bytes.length);
        }

        @Override
        public int read(byte[] bytes, int from, int length) {
            try {
                if (whole && System.nanoTime() - end > 0) {
                    throw new SocketTimeoutException("it did not come in time");
                }
                int read = response.body().read(bytes, from, length);
                waiting.received(Math.max(0, read));
                return read;
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedCallException(e);
                }
                throw new NoAnswerException("The connection broke: " + reason(e) + ".", true, e);
            }
        }

        /** All of it. */
        Client.Answer whole() {
            var body = new ByteArrayOutputStream();
            byte[] chunk = new byte[CHUNK];
            for (int n = read(chunk); n >= 0; n = read(chunk)) {
                body.write(chunk, 0, n);
                if (body.size() > MOST_BYTES) {
                    throw new ServiceException(
                            List.of("The answer has more than " + MOST_BYTES + " bytes."),
                            new Client.Answer(status(), response.headers(), ""));
                }
            }
            return new Client.Answer(status(), response.headers(), body.toString(StandardCharsets.UTF_8));
        }

        /** The error that the answer is. */
        ServiceException refusal() {
            Client.Answer answer = whole();
            Map<String, Object> problem = Map.of();
            try {
                problem = Json.read(answer.text()) instanceof Map<?, ?> map ? Json.object(map) : problem;
            } catch (IllegalArgumentException e) {
                // A proxy's page.
            }
            List<String> errors = new ArrayList<>();
            if (status() / 100 == 3) {
                errors.add("The service answered " + status()
                        + " and leads elsewhere; is the client's address that of the service?");
            } else if (problem.get("errors") instanceof List<?> list && !list.isEmpty()) {
                list.forEach(sentence -> errors.add(String.valueOf(sentence)));
            } else if (problem.get("detail") != null) {
                errors.add(String.valueOf(problem.get("detail")));
            } else {
                errors.add("The service answered " + status() + " without saying why.");
            }
            String ofHeader = header("x-request-id");
            String requestId =
                    text(problem, "request_id") == null && !ofHeader.isEmpty() ? ofHeader : text(problem, "request_id");
            // A file or a feed is not lost by a failure of the storage or the service: it is resumed.
            boolean retryable = UNAVAILABLE.contains(status()) || (!whole && status() / 100 == 5);
            var error = new ServiceException(errors, retryable, answer, text(problem, "code"), requestId);
            Duration after = answer.retryAfter();
            error.retryAfter = after == null ? null : seconds(after);
            // Without a report_id the service says that nothing was accepted.
            error.ambiguous =
                    status() == 502 || status() == 504 || (status() == 503 && problem.get("report_id") != null);
            error.of(text(problem, "report_id"));
            return error;
        }

        private static String text(Map<String, Object> problem, String field) {
            return problem.get(field) instanceof String text ? text : null;
        }

        @Override
        public void close() {
            try {
                response.close();
            } catch (IOException e) {
                // It is closed.
            }
        }
    }

    /**
     * How long a call is repeated that does not get through: for retryFor, counted from the first failure since there
     * was progress.
     */
    final class Retries {
        private double deadline;
        private double pause;
        private int times;

        Retries() {
            progress();
        }

        void progress() {
            deadline = Double.MAX_VALUE;
            pause = FIRST_PAUSE;
            times = 0;
        }

        /** Sleeps until the next try; throws the error if there is none. */
        void pause(MillraceException error) {
            if (!error.retryable()) {
                throw error;
            }
            double now = seconds();
            deadline = Math.min(deadline, now + retryFor);
            double wait = error.retryAfter == null ? pause : Math.max(error.retryAfter, pause);
            if (wait == pause) {
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
            if (now + wait > deadline) {
                throw error;
            }
            waiting.retrying(error, ++times);
            sleep(wait);
        }
    }
}
