package millrace.notifier.bootstrap;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@link NotifierMain} in a process that tests can kill, stop and continue. */
final class NotifierMainProcess implements AutoCloseable {
    private static final Pattern SERVER = Pattern.compile("metrics=(http://[^/]+)/metrics");

    private final Process process;
    private final Path output;

    private NotifierMainProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts the process and returns when it is ready. */
    static NotifierMainProcess start(NotifierTestKafka testKafka, Path folder, String instance) throws IOException {
        Path accounts = Files.writeString(folder.resolve("accounts.yaml"), """
                accounts:
                - id: acme
                  name: Acme
                  keys:
                  - kind: batch
                    sha256: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                  credits: 1
                  entitlements:
                    web_desktop_data: {countries: [US], start_date: "2024-01-01", end_date: "2026-01-31"}
                  webhook_secrets: [%s]
                """.formatted(NotifierTestKafka.SECRET));
        Path output = Files.createTempFile(folder, instance, ".log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        NotifierMain.class.getName(),
                        "--kafka.bootstrap.servers",
                        testKafka.bootstrapServers(),
                        "--kafka.partitions",
                        Integer.toString(NotifierTestKafka.PARTITIONS),
                        "--kafka.instance-id",
                        instance,
                        "--accounts",
                        accounts.toString(),
                        "--notifier.allowed-addresses",
                        "127.0.0.0/8",
                        "--management.port",
                        "0"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        var started = new NotifierMainProcess(process, output);
        await().until(() -> started.get("/health/ready").contains("\"UP\""));
        return started;
    }

    /** The body of an answer with status 200, else an empty text. */
    String get(String path) throws IOException, InterruptedException {
        Matcher server = SERVER.matcher(Files.readString(output));
        if (!server.find()) {
            if (!process.isAlive()) {
                throw new IllegalStateException("the process ended: " + Files.readString(output));
            }
            return "";
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(server.group(1) + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? answer.body() : "";
        }
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends a signal: STOP pauses the process, CONT continues it. */
    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
