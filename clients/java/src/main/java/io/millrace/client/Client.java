package io.millrace.client;

import io.millrace.client.MillraceException.DownloadException;
import io.millrace.client.MillraceException.ReportException;
import io.millrace.client.MillraceException.ServiceException;
import io.millrace.client.MillraceException.WaitTimeoutException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Client of Millrace: asks for reports, waits for them, and reads their rows.
 *
 * <pre>{@code
 * var client = new Client(key, "https://reports.example.com");
 * for (var row : client.run("demographics", Map.of("domains", List.of("amber-bank.example"), …))) …
 * }</pre>
 *
 * Every call has a timeout, and is repeated while the service is unavailable. A client may be shared by threads. Answers
 * are the service's JSON as it is: maps, lists, texts, {@link Long}, {@link Double}, {@link Boolean} and null. Every
 * error is a {@link MillraceException}, except those of local files, which are {@link UncheckedIOException}.
 */
public final class Client {
    public static final String VERSION = "0.3.0-SNAPSHOT";

    private static final Set<Object> ENDED = Set.of("complete", "completed", "internal_error");
    /** Seconds for which the service may hold the answer to a wait, if it has no news. */
    private static final double HOLD = 20;

    private final Http http;

    /** Answers must come within 60 seconds; a call that finds the service unavailable is repeated for 120 seconds. */
    public Client(String key, String baseUrl) {
        this(key, baseUrl, Duration.ofSeconds(60), Duration.ofSeconds(120));
    }

    /**
     * @param timeout within which an answer must have come; of files, the time without a byte
     * @param retryFor for how long a call is repeated that finds the service unavailable
     * @throws IllegalArgumentException if the key cannot be one, or the address is not one of HTTP
     */
    public Client(String key, String baseUrl, Duration timeout, Duration retryFor) {
        this(
                key,
                baseUrl,
                timeout,
                retryFor,
                Transport.of(HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(timeout)),
                new Waiting() {});
    }

    /**
     * @param transport for example {@link Transport#of} with a proxy, or with certificates of your own
     * @param waiting for example one that logs what is repeated
     */
    public Client(
            String key, String baseUrl, Duration timeout, Duration retryFor, Transport transport, Waiting waiting) {
        if (!key.matches("[!-~]+")) {
            throw new IllegalArgumentException("key: must be the text of a batch key");
        }
        if (!baseUrl.matches("(?i)https?://.+")) {
            throw new IllegalArgumentException("baseUrl: must begin with http:// or https://");
        }
        this.http = new Http(key, baseUrl.replaceAll("/+$", ""), timeout, retryFor, transport, waiting);
    }

    // Reports

    /** Asks for a report and waits until it is complete; iterate over the result for its rows. */
    public Report run(String dataset, Map<String, ?> request) {
        return run(dataset, request, null, null);
    }

    /**
     * @param idempotencyKey null for a new one
     * @param waitTimeout null for as long as it takes
     */
    public Report run(String dataset, Map<String, ?> request, String idempotencyKey, Duration waitTimeout) {
        Map<String, Object> ticket = submit(dataset, request, idempotencyKey);
        return download(waitFor((String) ticket.get("report_id"), waitTimeout));
    }

    /** Asks for a report: {@code {"report_id", "status"}}. */
    public Map<String, Object> submit(String dataset, Map<String, ?> request) {
        return submit(dataset, request, null);
    }

    /**
     * Asks for a report. Repeats, also the caller's own with the same key and request, are one report and one charge.
     *
     * @param idempotencyKey null for a new one
     */
    public Map<String, Object> submit(String dataset, Map<String, ?> request, String idempotencyKey) {
        String used = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
        Http.Call call = http.call("POST", "/v3/batch/" + Http.quote(dataset) + "/request-report")
                .body(request)
                .headers(Map.of("idempotency-key", used));
        try {
            return Json.object(call.send());
        } catch (MillraceException e) {
            e.idempotencyKey = used;
            throw e;
        }
    }

    /** Checks a request and estimates its credits, free: {@code {"is_valid", "estimated_credits", …}}. */
    public Map<String, Object> validate(String dataset, Map<String, ?> request) {
        return Json.object(http.call("POST", "/v3/batch/" + Http.quote(dataset) + "/request-validate")
                .body(request)
                .send());
    }

    /** The status of a report; once it is complete with download_url, file_size and sha256. */
    public Map<String, Object> status(String reportId) {
        return Json.object(statusCall(reportId).send());
    }

    private Http.Call statusCall(String reportId) {
        return http.call("GET", "/v3/batch/request-status/" + Http.quote(reportId));
    }

    /** Waits until the report has ended, asking when the service says; returns its last status. */
    public Map<String, Object> waitFor(String reportId) {
        return waitFor(reportId, null);
    }

    /**
     * @param atMost null for as long as it takes
     * @throws WaitTimeoutException after that time; the report goes on
     */
    public Map<String, Object> waitFor(String reportId, Duration atMost) {
        double deadline = atMost == null ? Double.MAX_VALUE : http.seconds() + Http.seconds(atMost);
        Http.Call call = statusCall(reportId);
        while (true) {
            double hold = Math.min(Math.min(HOLD, http.timeout() / 2), deadline - http.seconds());
            // Older services ignore it.
            call.headers(hold < 1 ? Map.of() : Map.of("prefer", "wait=" + Math.round(hold)));
            Map<String, Object> status;
            try {
                status = Json.object(call.send());
            } catch (MillraceException e) {
                throw e.of(reportId);
            }
            if (ENDED.contains(status.get("status"))) {
                return status;
            }
            Double asked = call.retryAfter();
            double left = deadline - http.seconds();
            if (left <= 0) {
                throw new WaitTimeoutException("Report " + reportId + " is still processing after " + words(atMost)
                                + " seconds; it goes on, and can be waited for again.")
                        .of(reportId);
            }
            if (!call.held()) {
                http.sleep(Math.min(asked == null || asked == 0 ? 2 : asked, left));
            }
        }
    }

    /** The rows and the file of a complete report. */
    public Report download(String reportId) {
        return download(status(reportId));
    }

    /** @param status of a complete report */
    public Report download(Map<String, Object> status) {
        String reportId = String.valueOf(status.get("report_id"));
        if ("internal_error".equals(status.get("status"))) {
            Map<String, Object> error = Json.object(status.getOrDefault("error", Map.of()));
            throw new ReportException(
                            (String) error.getOrDefault("message", "The report failed."),
                            Boolean.TRUE.equals(error.get("retryable")),
                            (String) error.get("code"))
                    .of(reportId);
        }
        if (!ENDED.contains(status.get("status"))) {
            throw new DownloadException("Report " + reportId + " is still processing; wait for it first.", true)
                    .of(reportId);
        }
        if (status.get("download_url") == null) {
            throw new DownloadException(
                            "The file of report " + reportId + " was kept until " + status.get("expires_at") + ".",
                            false)
                    .of(reportId);
        }
        return new Report(http, reportId, status);
    }

    /** Ends a report that is processing: {@code {"report_id", "status"}}. */
    public Map<String, Object> cancel(String reportId) {
        return change(
                "cancel",
                reportId,
                status -> status.get("error") instanceof Map<?, ?> error && "cancelled".equals(error.get("code")));
    }

    /** Starts a failed report again, at most three times: {@code {"report_id", "status"}}. */
    public Map<String, Object> retry(String reportId) {
        return change("retry", reportId, status -> !ENDED.contains(status.get("status")));
    }

    /** Deletes a report that has ended, with its file and its request. Credits are not given back. */
    public void erase(String reportId) {
        Http.Call call = http.call("DELETE", "/v3/batch/reports/" + Http.quote(reportId));
        try {
            call.send();
        } catch (ServiceException e) {
            if (e.status() != 404 || !call.inDoubt()) { // else the first call has erased it, and its answer was lost
                throw e;
            }
        }
    }

    /**
     * If an answer was lost and the repeat is refused, the status tells whether the first call was carried out.
     */
    private Map<String, Object> change(String what, String reportId, Predicate<Map<String, Object>> done) {
        Http.Call call = http.call("POST", "/v3/batch/" + what + "/" + Http.quote(reportId));
        try {
            return Json.object(call.send());
        } catch (ServiceException e) {
            if (e.status() != 409 || !call.inDoubt()) {
                throw e;
            }
            Map<String, Object> status = status(reportId);
            if (!done.test(status)) {
                throw e;
            }
            return Map.of("report_id", reportId, "status", status.get("status"));
        }
    }

    /**
     * All reports of the account, newest first, read page by page.
     *
     * @param filters status, dataset
     */
    public Stream<Map<String, Object>> history(Map<String, ?> filters) {
        Map<String, Object> query = new LinkedHashMap<>(filters);
        query.putIfAbsent("limit", 100);
        return stream(new History(query));
    }

    // The account, and what there is

    /** {@code {"remaining_credits"}}. */
    public Map<String, Object> credits() {
        return Json.object(http.call("GET", "/v3/batch/credits").send());
    }

    /** Names that are in the data and begin with the prefix: {@code {"entities", "more"}}. */
    public Map<String, Object> entities(String dataset, String prefix, int limit) {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("prefix", prefix);
        query.put("limit", limit);
        return Json.object(http.call("GET", "/v3/batch/tables/" + Http.quote(dataset) + "/entities")
                .query(query)
                .send());
    }

    /**
     * The account's events as they happen, without end: close the stream. A connection that breaks is resumed after the
     * last event.
     *
     * @param types empty for all
     * @param lastEventId the position of an event that was read before, or null
     */
    public Stream<Event> events(Collection<String> types, String lastEventId) {
        Feed feed = feed(types, lastEventId);
        return stream(feed).onClose(feed::close);
    }

    /** As {@link #events}, but also says where to go on while nothing happens. */
    public Feed feed(Collection<String> types, String lastEventId) {
        return new Feed(http, types, lastEventId);
    }

    /**
     * An event of the feed.
     *
     * @param position give it to {@link #events} to go on after this event; null if the service sent none
     * @param data its JSON
     */
    public record Event(String position, String type, Object data) {}

    /**
     * Any call of the API that has no method here. A POST is repeated only if it cannot have been carried out, has an
     * idempotency-key, or changes nothing (request-validate).
     *
     * @param body null for none
     */
    public Object call(String method, String path, Map<String, ?> query, Object body, Map<String, String> headers) {
        return anyCall(method, path, headers).query(query).body(body).send();
    }

    /**
     * As {@link #call}, with the answer as it came: for its headers, or to read it with a JSON library of your own.
     *
     * @param path with its query
     * @param json the body as it is sent, or null for none
     */
    public Answer exchange(String method, String path, String json, Map<String, String> headers) {
        return anyCall(method, path, headers).json(json).answer();
    }

    private Http.Call anyCall(String method, String path, Map<String, String> headers) {
        boolean repeatable = !method.equals("POST")
                || path.endsWith("/request-validate")
                || headers.keySet().stream().anyMatch("idempotency-key"::equalsIgnoreCase);
        Http.Call call = http.call(method, path).headers(headers);
        return repeatable ? call : call.once();
    }

    /**
     * An answer of the service.
     *
     * @param headers gives a header by its name in any case, or null
     */
    public record Answer(int status, UnaryOperator<String> headers, String text) {
        /** When the service wants to be asked again, at most in a day; null if it does not say. */
        public Duration retryAfter() {
            return Http.retryAfter(headers.apply("retry-after"), Instant.now());
        }

        /** Whether the service held it, as {@code prefer: wait=20} asks for: it may be asked again at once. */
        public boolean held() {
            String applied = headers.apply("preference-applied");
            return applied != null && applied.contains("wait=");
        }
    }

    /** The reports of the account, page by page. */
    private final class History implements Iterator<Map<String, Object>> {
        private final Map<String, Object> query;
        private Iterator<?> page = List.of().iterator();
        private boolean last;

        History(Map<String, Object> query) {
            this.query = query;
        }

        @Override
        public boolean hasNext() {
            while (!page.hasNext() && !last) {
                Map<String, Object> answer = Json.object(http.call("GET", "/v3/batch/report-history")
                        .query(query)
                        .send());
                page = ((List<?>) answer.get("reports")).iterator();
                last = answer.get("next_cursor") == null;
                query.put("cursor", answer.get("next_cursor"));
            }
            return page.hasNext();
        }

        @Override
        public Map<String, Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return Json.object(page.next());
        }
    }

    static <T> Stream<T> stream(Iterator<T> iterator) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED), false);
    }

    private static String words(Duration duration) {
        double seconds = Http.seconds(duration);
        return seconds == Math.rint(seconds) ? Long.toString((long) seconds) : Double.toString(seconds);
    }
}
