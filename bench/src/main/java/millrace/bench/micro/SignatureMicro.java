package millrace.bench.micro;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.webhook.WebhookSigner;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Signs the headers of a webhook with a body of 600 bytes. */
@State(Scope.Benchmark)
public class SignatureMicro {
    private static final Map<String, String> SECRETS = Map.of(
            "v1", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "v1a", "whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=");

    @Param({"v1", "v1a"})
    public String version = "v1";

    private final byte[] body = new byte[600];
    private final Instant now = Instant.parse("2026-11-02T08:15:30.120Z");
    private WebhookSigner signature = WebhookSigner.of(List.copyOf(SECRETS.values()));

    @Setup
    public void key() {
        signature = WebhookSigner.of(List.of(SECRETS.getOrDefault(version, "")));
    }

    @Benchmark
    public Map<String, String> headers() {
        return signature.headers("00000000-0000-0001-0000-000000000001.2", now, body);
    }
}
