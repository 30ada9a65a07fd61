package millrace.bench.notifier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.notifier.bootstrap.NotifierMain;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Runs a broker, receivers and the notifiers to measure, each as a process. */
public final class NotifierSetup implements AutoCloseable {
    static final int PARTITIONS = 6;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Path folder;
    private final ChildProcess receivers;
    private final String bootstrapServers;
    private final List<Integer> ports;
    private ChildProcess broker;

    /**
     * @param endpoints number of endpoints, each with an account {@code a0}, {@code a1}, … and a
     *     receiver with its own port
     */
    NotifierSetup(int endpoints) throws IOException, InterruptedException {
        folder = Files.createTempDirectory("millrace-bench");
        broker = KafkaMain.start(folder.resolve("kafka"));
        bootstrapServers = KafkaMain.servers(broker);
        // They start after the broker, because they take so many ports that one might be the one it has found free.
        receivers = ChildProcess.start(ReceiverProcess.class, List.of("-Xmx512m"), Integer.toString(endpoints));
        ports = ReceiverProcess.ports(receivers.await(ReceiverProcess.SAYS, TIMEOUT));
        accountsFile(endpoints);
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

    /** Starts a notifier and waits until it has taken over all partitions. */
    ChildProcess notifier(List<String> prefix, List<String> jvmOptions, String... settings)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "--kafka.bootstrap.servers",
                bootstrapServers,
                "--accounts",
                folder.resolve("accounts.yaml").toString(),
                "--notifier.allowed-addresses",
                "127.0.0.0/8"));
        all.addAll(List.of(settings));
        ChildProcess notifier = ChildProcess.start(prefix, NotifierMain.class, jvmOptions, all.toArray(String[]::new));
        for (int taken = 0; taken < PARTITIONS; taken++) {
            notifier.await("partition taken over", TIMEOUT);
        }
        return notifier;
    }

    ChildProcess notifier(String heap, String... settings) throws IOException, InterruptedException {
        return notifier(List.of(), List.of(heap), settings);
    }

    /** Pins broker and receivers to a core where the machine has {@code taskset}. */
    void pin(String core) throws IOException, InterruptedException {
        for (ChildProcess child : List.of(broker, receivers)) {
            new ProcessBuilder("taskset", "-a", "-p", "-c", core, Long.toString(child.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    /** Kills the broker and starts it again in its folder, at its address. */
    void restartBroker() throws IOException, InterruptedException {
        broker.kill();
        int port = Integer.parseInt(bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1));
        broker = KafkaMain.start(folder.resolve("kafka"), port);
        KafkaMain.servers(broker);
    }

    /** @param behaviour see {@link ReceiverConnection}; {@code refuse} for no connection */
    String url(int endpoint, String behaviour, long dueMicros) {
        int port = behaviour.equals("refuse") ? ports.getLast() : ports.get(endpoint % (ports.size() - 1));
        return "http://127.0.0.1:" + port + "/" + behaviour + "/" + dueMicros;
    }

    /** Sends a command to the receivers. */
    void sendToReceivers(String command) throws InterruptedException {
        receivers.say(command);
        receivers.await("done " + command, TIMEOUT);
    }

    /** Everything that has arrived at the receivers, where they {@code record}. */
    List<WebhookArrivals.Arrival> arrivals() throws IOException, InterruptedException {
        Path file = folder.resolve("arrivals");
        sendToReceivers("write " + file);
        return WebhookArrivals.Arrival.read(file);
    }

    WebhookArrivals.Count count() throws InterruptedException {
        receivers.say("count");
        return WebhookArrivals.Count.parse(receivers.await("count ", TIMEOUT));
    }

    /**
     * Waits until so many requests have arrived.
     *
     * @throws IllegalStateException where they do not arrive in time
     */
    WebhookArrivals.Count awaitCount(long requests, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        WebhookArrivals.Count count = count();
        while (count.requests() < requests) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("only " + count.requests() + " of " + requests + " requests came");
            }
            TimeUnit.MILLISECONDS.sleep(20);
            count = count();
        }
        return count;
    }

    /**
     * Waits until the notifiers have taken everything from the source and have committed that.
     *
     * @throws IllegalStateException where that takes longer
     */
    void awaitRead(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        try (Admin admin = Admin.create(clientConfig())) {
            for (long unread = unread(admin); unread > 0; unread = unread(admin)) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(unread + " events are not read");
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long unread(Admin admin) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(ConsumerGroups.NOTIFIERS)
                .partitionsToOffsetAndMetadata()
                .get();
        long unread = 0;
        for (var end : admin.listOffsets(Topics.DELIVERIES.ends(PARTITIONS))
                .all()
                .get()
                .entrySet()) {
            OffsetAndMetadata position = committed.get(end.getKey());
            unread += end.getValue().offset() - (position == null ? 0 : position.offset());
        }
        return unread;
    }

    /** @param linger milliseconds */
    KafkaProducer<String, byte[]> producer(int linger) {
        Map<String, Object> config = clientConfig();
        config.put("linger.ms", Integer.toString(linger));
        config.put("compression.type", KafkaMain.CODEC);
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    Map<String, Object> clientConfig() {
        return new HashMap<>(kafka().clientConfig());
    }

    @Override
    public void close() throws IOException {
        receivers.close();
        broker.close();
        TemporaryFolders.delete(folder);
    }
}
