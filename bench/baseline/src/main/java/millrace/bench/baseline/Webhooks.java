package millrace.bench.baseline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/** Sends the signed webhook of a report that has ended. One that fails is sent again by its task. */
@Component
class Webhooks {
    private final JdbcTemplate db;
    private final SecretKeySpec secret;
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();

    Webhooks(JdbcTemplate db, @Value("${webhook.secret}") String secret) {
        this.db = db;
        this.secret = new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256");
    }

    void send(UUID id) {
        Map<String, Object> report =
                db.queryForMap("select status, webhook_url, row_count, charged from report where id = ?", id);
        Map<String, Object> payload = Map.of(
                "report_id",
                id,
                "status",
                report.get("status"),
                "row_count",
                report.get("row_count"),
                "used_quota",
                report.get("charged"));
        String body = json.writeValueAsString(Map.of("event_type", "report_status_change", "payload", payload));
        String at = Long.toString(Instant.now().getEpochSecond());
        HttpRequest request = HttpRequest.newBuilder(URI.create((String) report.get("webhook_url")))
                .timeout(Duration.ofSeconds(5))
                .header("content-type", "application/json")
                .header("webhook-id", id.toString())
                .header("webhook-timestamp", at)
                .header("webhook-signature", "v1," + signature(id + "." + at + "." + body))
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            int status = http.send(request, BodyHandlers.discarding()).statusCode();
            if (status / 100 != 2) {
                throw new IOException("the webhook was answered with " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String signature(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }
}
