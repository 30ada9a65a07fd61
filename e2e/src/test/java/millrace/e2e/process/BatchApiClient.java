package millrace.e2e.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import millrace.contracts.Json;
import org.awaitility.Awaitility;

/** A client with a batch key. */
public record BatchApiClient(String address, String key, HttpClient http) {
    private static final Set<String> ENDED = Set.of("complete", "internal_error");

    public static BatchApiClient of(MillraceProcess millrace, String key) {
        return new BatchApiClient(millrace.address(), key, HttpClient.newHttpClient());
    }

    /** An answer of any status code. */
    public record Answer(int code, JsonNode body, HttpResponse<String> response) {
        public String text(String field) {
            return body.path(field).asText();
        }
    }

    /** Posts JSON, unless {@code headers} have another {@code content-type}. */
    public Answer post(String path, String body, String... headers) {
        HttpRequest.Builder request = request(path).POST(BodyPublishers.ofString(body));
        if (!List.of(headers).contains("content-type")) {
            request.header("content-type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    public Answer get(String path) {
        return send(request(path));
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    /** Submits a request, which must be accepted; returns the report's id. */
    public String submit(String dataset, String body) {
        Answer answer = post("/v3/batch/" + dataset + "/request-report", body);
        if (answer.code() != 200) {
            throw new AssertionError(answer.code() + " " + answer.body());
        }
        return answer.text("report_id");
    }

    public Answer status(String report) {
        return get("/v3/batch/request-status/" + report);
    }

    /** Waits until the report has ended. */
    public Answer ended(String report, Duration timeout) {
        return Awaitility.await(report)
                .atMost(timeout)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> status(report), answer -> ENDED.contains(answer.text("status")));
    }

    public Answer ended(String report) {
        return ended(report, Duration.ofSeconds(60));
    }

    /** Gets a download link, or with a header {@code range} a part of its file. The answer may have any status code. */
    public HttpResponse<byte[]> fetch(String link, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(link)).timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    public String download(Answer complete) {
        try {
            URI link = URI.create(complete.text("download_url"));
            HttpResponse<String> file = http.send(HttpRequest.newBuilder(link).build(), BodyHandlers.ofString());
            if (file.statusCode() != 200) {
                throw new AssertionError(file.statusCode() + " " + file.body());
            }
            return file.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Downloads a file that need not fit in memory. */
    public Path download(Answer complete, Path file) {
        return download(complete.text("download_url"), file);
    }

    public Path download(String url, Path file) {
        try {
            URI link = URI.create(url);
            return http.send(HttpRequest.newBuilder(link).build(), BodyHandlers.ofFile(file))
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    public long remainingCredits() {
        Answer answer = get("/v3/batch/credits");
        if (answer.code() != 200) {
            throw new AssertionError(answer.code() + " " + answer.body());
        }
        return answer.body().path("remaining_credits").asLong();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path))
                .header("api-key", key)
                .timeout(Duration.ofSeconds(30));
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            JsonNode body = response.body().startsWith("{") || response.body().startsWith("[")
                    ? Json.MAPPER.readTree(response.body())
                    : Json.MAPPER.missingNode();
            return new Answer(response.statusCode(), body, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
