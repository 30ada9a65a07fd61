package millrace.bench.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Submits reports for demographics and polls their status. */
public record ReportClient(SingleGateway gateway, String key, HttpClient http) {
    public String submit(String body) throws IOException, InterruptedException {
        JsonNode answer = send(gateway.request("/v3/batch/demographics/request-report", key)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        return answer.path("report_id").asText();
    }

    public JsonNode status(String id) throws IOException, InterruptedException {
        return send(gateway.request("/v3/batch/request-status/" + id, key));
    }

    /** Returns the status with which the report ended. */
    public JsonNode ended(String id, Duration every) throws IOException, InterruptedException {
        JsonNode status = status(id);
        while (status.path("status").asText().equals("processing")) {
            LockSupport.parkNanos(every.toNanos());
            status = status(id);
        }
        if (!status.path("status").asText().equals("complete")) {
            throw new IllegalStateException("a report failed: " + status);
        }
        return status;
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpLoad.json(http, request.build());
    }
}
