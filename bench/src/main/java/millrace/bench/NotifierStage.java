package millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import millrace.notifier.NotifierMain;
import millrace.runtime.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A broker and receivers in processes of their own, and notifiers to measure in others. */
final class NotifierStage implements AutoCloseable {
    static final int PARTITIONS = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Path folder;
    private final Child broker;
    private final Child receivers;
    private final String bootstrapServers;
    private final String receiversAddress;

    /** @param accounts each of them one endpoint, {@code a0}, {@code a1}, … */
    NotifierStage(int accounts) throws IOException, InterruptedException {
        folder = Files.createTempDirectory("millrace-bench");
        broker = KafkaMain.start(folder.resolve("kafka"));
        receivers = Child.start(Receivers.class, List.of("-Xmx512m"));
        bootstrapServers = KafkaMain.servers(broker);
        receiversAddress = Receivers.address(receivers.await(Receivers.SAYS, PATIENCE));
        accountsFile(accounts);
    }

    private KafkaSettings kafka() {
        return KafkaSettings.local(bootstrapServers, PARTITIONS, "bench");
    }

    private void accountsFile(int accounts) throws IOException {
        List<String> lines = new ArrayList<>(List.of("accounts:"));
        for (int i = 0; i < accounts; i++) {
            lines.addAll(List.of(
                    "- id: a" + i,
                    "  name: A",
                    "  keys:",
                    "  - kind: batch",
                    "    sha256: " + String.format("%064x", i + 1),
                    "  credits: 1",
                    "  entitlements:",
                    "    web_desktop_data: {countries: [US], start_date: \"2024-01-01\", end_date: \"2026-01-31\"}",
                    "  webhook_secrets: [" + SECRET + "]"));
        }
        Files.write(folder.resolve("accounts.yaml"), lines);
    }

    /** A notifier, which is not ready yet. */
    Child notifier(String heap, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--kafka.bootstrap.servers",
                bootstrapServers,
                "--accounts",
                folder.resolve("accounts.yaml").toString(),
                "--notifier.allowed-addresses",
                "127.0.0.0/8"));
        all.addAll(List.of(settings));
        return Child.start(NotifierMain.class, List.of(heap), all.toArray(String[]::new));
    }

    String url(String path) {
        return receiversAddress + path;
    }

    /** What the receivers have counted since the last time they forgot it. */
    Receivers.Count count() throws InterruptedException {
        receivers.say("count");
        return Receivers.Count.parse(receivers.await("count ", PATIENCE));
    }

    Receivers.Count awaitCount(long requests, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Receivers.Count count = count();
        while (count.requests() < requests) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("only " + count.requests() + " of " + requests + " requests came");
            }
            TimeUnit.MILLISECONDS.sleep(20);
            count = count();
        }
        return count;
    }

    KafkaProducer<String, byte[]> producer() {
        Map<String, Object> config = new HashMap<>(kafka().clientConfig());
        config.put("linger.ms", "20");
        config.put("compression.type", "lz4");
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public void close() {
        receivers.close();
        broker.close();
    }
}
