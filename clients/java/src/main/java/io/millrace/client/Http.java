package io.millrace.client;

import io.millrace.client.MillraceException.InterruptedCallException;
import io.millrace.client.MillraceException.NoAnswerException;
import io.millrace.client.MillraceException.ServiceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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

    private static final String USER_AGENT = "millrace-java/" + Client.VERSION;
    private static final double FIRST_PAUSE = 0.5;
    private static final double LONGEST_PAUSE = 10;

    private final String key;
    private final String base;
    private final Duration timeout;
    private final double retryFor;
    private final Surroundings surroundings;
    /** A redirect of a call is not followed: the key would go along. Links to files have no key. */
    private final HttpClient calls;

    private final HttpClient links;

    Http(String key, String base, Duration timeout, Duration retryFor, Surroundings surroundings) {
        this.key = key;
        this.base = base;
        this.timeout = timeout;
        this.retryFor = seconds(retryFor);
        this.surroundings = surroundings;
        this.calls = client(timeout, HttpClient.Redirect.NEVER);
        this.links = client(timeout, HttpClient.Redirect.NORMAL);
    }

    private static HttpClient client(Duration timeout, HttpClient.Redirect redirect) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(redirect)
                .build();
    }

    /** A call of the API with the key. */
    Call call(String method, String path) {
        return new Call(method, path);
    }

    Retries retries() {
        return new Retries();
    }

    /** Asks for a file without the key, following redirects; the timeout is for each read. */
    Answer openLink(String link, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(link)).timeout(timeout).header("user-agent", USER_AGENT);
        headers.forEach(request::header);
        return open(links, request.build(), timeout, true);
    }

    /** Opens an answer without end; the limit is for each read. */
    Answer open(HttpRequest request, Duration limit) {
        return open(calls, request, limit, true);
    }

    /**
     * Sends a request; the answer may have any status.
     *
     * @param each whether the limit is for each read of the body, or for the whole answer
     */
    private Answer open(HttpClient http, HttpRequest request, Duration limit, boolean each) {
        long begin = System.nanoTime();
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            return new Answer(response, each ? limit : limit.minusNanos(System.nanoTime() - begin), each);
        } catch (InterruptedException e) {
            throw new InterruptedCallException(e);
        } catch (IOException e) {
            boolean sent = !(e instanceof ConnectException || e instanceof HttpConnectTimeoutException);
            throw new NoAnswerException(request.uri().getAuthority() + " does not answer: " + reason(e) + ".", sent, e);
        }
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    double seconds() {
        return surroundings.seconds();
    }

    void sleep(double seconds) {
        try {
            surroundings.sleep(seconds);
        } catch (InterruptedException e) {
            throw new InterruptedCallException(e);
        }
    }

    static String quote(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** One call of the API, which is repeated while the service is unavailable. */
    final class Call {
        private final String method;
        private final String path;
        private String query = "";
        private HttpRequest.BodyPublisher body = BodyPublishers.noBody();
        private boolean json;
        private Map<String, String> headers = Map.of();
        private boolean repeatable = true;
        private boolean inDoubt;
        private Double retryAfter;

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
            json = value != null;
            body = json ? BodyPublishers.ofString(Json.write(value)) : BodyPublishers.noBody();
            return this;
        }

        /** A POST that is repeated only where it cannot have been carried out. */
        Call once() {
            repeatable = false;
            return this;
        }

        /** Whether a try that failed may have been carried out. */
        boolean inDoubt() {
            return inDoubt;
        }

        /** What the last answer said, in seconds, or null. */
        Double retryAfter() {
            return retryAfter;
        }

        Call headers(Map<String, String> more) {
            headers = more;
            return this;
        }

        HttpRequest request(Duration limit) {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("accept", "application/json");
            if (json) {
                all.put("content-type", "application/json");
            }
            headers.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
            all.put("api-key", key);
            all.put("user-agent", USER_AGENT);
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(base + path + query)).timeout(limit);
            all.forEach(request::setHeader);
            return request.method(method, body).build();
        }

        Object send() {
            HttpRequest request = request(timeout);
            var retries = new Retries();
            while (true) {
                try {
                    return sendOnce(request);
                } catch (ServiceException | NoAnswerException e) {
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

        private Object sendOnce(HttpRequest request) {
            try (Answer answer = open(calls, request, timeout, false)) {
                if (answer.status() / 100 != 2) {
                    throw answer.refusal();
                }
                String text = answer.text();
                retryAfter = answer.retryAfter();
                if (answer.status() == 204) {
                    return Map.of();
                }
                try {
                    return Json.read(text);
                } catch (IllegalArgumentException e) {
                    throw new ServiceException(
                            answer.status(),
                            List.of("The answer to " + method + " " + path
                                    + " is not JSON; is the client's address that of the service?"));
                }
            }
        }
    }

    /** An answer, whose body is read from it. Where it breaks off or takes too long, reading fails. */
    final class Answer extends InputStream {
        private static final ScheduledThreadPoolExecutor TIMER = timer();

        private final HttpResponse<InputStream> response;
        private final Duration limit;
        private final boolean each;
        private ScheduledFuture<?> alarm;
        private volatile boolean late;

        Answer(HttpResponse<InputStream> response, Duration limit, boolean each) {
            this.response = response;
            this.limit = limit;
            this.each = each;
            if (!each) {
                alarm = TIMER.schedule(this::tooLate, limit.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private static ScheduledThreadPoolExecutor timer() {
            var timer = new ScheduledThreadPoolExecutor(1, task -> {
                var thread = new Thread(task, "millrace-client-timer");
                thread.setDaemon(true);
                return thread;
            });
            timer.setRemoveOnCancelPolicy(true);
            return timer;
        }

        int status() {
            return response.statusCode();
        }

        /** Empty where there is none. */
        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** Seconds, or null. */
        Double retryAfter() {
            String text = header("retry-after").strip();
            return NUMBER.matcher(text).matches() ? Double.valueOf(text) : null;
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
            if (each) {
                alarm = TIMER.schedule(this::tooLate, limit.toNanos(), TimeUnit.NANOSECONDS);
            }
            try {
                int read = response.body().read(bytes, from, length);
                surroundings.received(Math.max(0, read));
                return read;
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedCallException(e);
                }
                String why = late ? "nothing came in time" : reason(e);
                throw new NoAnswerException("The connection broke: " + why + ".", true, e);
            } finally {
                if (each) {
                    alarm.cancel(false);
                }
            }
        }

        /** The whole body. */
        String text() {
            var body = new ByteArrayOutputStream();
            byte[] chunk = new byte[CHUNK];
            for (int n = read(chunk); n >= 0; n = read(chunk)) {
                body.write(chunk, 0, n);
                if (body.size() > MOST_BYTES) {
                    throw new ServiceException(status(), List.of("The answer has more than " + MOST_BYTES + " bytes."));
                }
            }
            return body.toString(StandardCharsets.UTF_8);
        }

        /** The error that the answer is. */
        ServiceException refusal() {
            Map<String, Object> problem = Map.of();
            try {
                problem = Json.read(text()) instanceof Map<?, ?> map ? Json.object(map) : problem;
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
            var error = new ServiceException(status(), errors, text(problem, "code"), requestId);
            error.retryAfter = retryAfter();
            // Without a report_id the service says that nothing was accepted.
            error.ambiguous =
                    status() == 502 || status() == 504 || (status() == 503 && problem.get("report_id") != null);
            error.of(text(problem, "report_id"));
            return error;
        }

        private static String text(Map<String, Object> problem, String field) {
            return problem.get(field) instanceof String text ? text : null;
        }

        private void tooLate() {
            late = true;
            close();
        }

        @Override
        public void close() {
            if (alarm != null) {
                alarm.cancel(false);
            }
            try {
                response.body().close();
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

        Retries() {
            progress();
        }

        void progress() {
            deadline = Double.MAX_VALUE;
            pause = FIRST_PAUSE;
        }

        /** Sleeps until the next try; throws the error where there is none. */
        void pause(MillraceException error) {
            if (!error.retryable()) {
                throw error;
            }
            double now = surroundings.seconds();
            deadline = Math.min(deadline, now + retryFor);
            double wait = error.retryAfter == null ? pause : Math.max(error.retryAfter, pause);
            if (wait == pause) {
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
            if (now + wait > deadline) {
                throw error;
            }
            sleep(wait);
        }
    }

    /** What tests replace. */
    interface Surroundings {
        default double seconds() {
            return System.nanoTime() / 1e9;
        }

        default void sleep(double seconds) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
        }

        /** Called with each number of bytes that was read of an answer. */
        default void received(int bytes) {}
    }
}
