package millrace.e2e.cluster;

import static org.awaitility.Awaitility.await;

import com.standardwebhooks.Webhook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The cluster of docker-compose.yml, which {@code e2e/cluster} has started. */
final class DockerCluster implements Cluster {
    private static final String PROJECT = System.getProperty("cluster.project", "millrace-e2e");
    private static final String NETWORK = PROJECT + "_default";
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    /** The addresses of parts that are cut off. */
    private final Map<Part, String> addresses = new ConcurrentHashMap<>();

    @Override
    public List<String> entrances() {
        return List.of(System.getProperty("cluster.address", "http://127.0.0.1:18088"));
    }

    @Override
    public String key() {
        return System.getProperty("cluster.key", "");
    }

    @Override
    public String webhookSecret() {
        return System.getProperty("cluster.secret", "");
    }

    @Override
    public String webhookUrl() {
        return "http://receiver:9000/hook";
    }

    @Override
    public String bootstrapServers() {
        return System.getProperty("cluster.kafka", "127.0.0.1:19092,127.0.0.1:19093,127.0.0.1:19094");
    }

    /**
     * Parses the receiver's log: time, id, timestamp, signature in brackets, body. Lines of other accounts, with other
     * secrets, and lines older than a receiver may accept are skipped.
     */
    @Override
    public List<ReceivedWebhook> webhooks() throws Exception {
        var webhook = new Webhook(webhookSecret());
        List<ReceivedWebhook> all = new ArrayList<>();
        for (String line : docker("logs", container("receiver")).lines().toList()) {
            String[] words = line.split(" ", 5);
            if (words.length == 5 && words[3].startsWith("[v1")) {
                String signed = webhook.sign(words[1], Long.parseLong(words[2]), words[4]);
                if (words[3].equals("[" + signed + "]")) {
                    all.add(new ReceivedWebhook(words[1], Instant.parse(words[0])));
                }
            }
        }
        return all;
    }

    @Override
    public void kill(Part part) throws Exception {
        docker("kill", container(part.name()));
    }

    @Override
    public void stop(Part part) throws Exception {
        docker("stop", "--time", "30", container(part.name()));
    }

    @Override
    public void start(Part part) throws Exception {
        docker("start", container(part.name()));
        await(part.name()).atMost(TIMEOUT).until(() -> docker(
                        "inspect", "--format", "{{.State.Health.Status}}", container(part.name()))
                .startsWith("healthy"));
    }

    @Override
    public void cutOff(Part part) throws Exception {
        addresses.put(
                part,
                docker(
                                "inspect",
                                "--format",
                                "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}",
                                container(part.name()))
                        .strip());
        docker("network", "disconnect", NETWORK, container(part.name()));
    }

    /** Connects the part with its former address, as after a network fault. */
    @Override
    public void rejoin(Part part) throws Exception {
        String address = Objects.requireNonNull(addresses.remove(part));
        docker("network", "connect", "--alias", part.name(), "--ip", address, NETWORK, container(part.name()));
    }

    /** Does nothing; {@code e2e/cluster} stops the cluster. */
    @Override
    public void close() {}

    /** Finds the container by the labels that every compose implementation sets. */
    private static String container(String service) throws Exception {
        return docker(
                        "ps",
                        "--all",
                        "--quiet",
                        "--filter",
                        "label=com.docker.compose.project=" + PROJECT,
                        "--filter",
                        "label=com.docker.compose.service=" + service)
                .strip();
    }

    private static String docker(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + ": " + output);
        }
        return output;
    }
}
