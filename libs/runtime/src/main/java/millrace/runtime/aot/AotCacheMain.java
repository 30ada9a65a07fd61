package millrace.runtime.aot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs while an image is built: starts a service as the image will, with a broker and a storage of
 * its own, waits until the service is ready, and stops it. The JVM of the service writes an AOT
 * cache.
 */
public final class AotCacheMain {
    /** Placeholder in the settings for the storage's address. */
    private static final String STORAGE = "{storage}";

    private final Path folder;
    private final int management = freePort();
    private final HttpClient http = HttpClient.newHttpClient();

    private AotCacheMain(Path folder) throws IOException {
        this.folder = folder;
    }

    /**
     * @param arguments the class path of a broker, the file to write, then the arguments of {@code
     *     java} for the service: its options, its main class, and its settings, in which {@code
     *     {storage}} stands for the address of an S3-compatible storage
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> all = List.of(arguments);
        new AotCacheMain(Files.createTempDirectory("aot-cache"))
                .record(all.get(0), all.get(1), all.subList(2, all.size()));
    }

    private void record(String brokerClasses, String cache, List<String> service)
            throws IOException, InterruptedException {
        var broker = new AotRunBroker(brokerClasses, folder.resolve("broker"));
        Path log = folder.resolve("service.log");
        try (var storage = AotRunStorage.start()) {
            Process kafka = broker.start();
            Process process = JavaProcess.start(command(cache, service, broker.address(), storage.address()), log);
            try {
                JavaProcess.await(process, log, () -> answers("/health/ready") == 200);
                answers("/metrics"); // Prometheus scrapes soon after each start
                process.destroy(); // SIGTERM
                if (!process.waitFor(JavaProcess.TIMEOUT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new IOException("the service did not stop well:\n" + Files.readString(log));
                }
            } finally {
                process.destroyForcibly();
                kafka.destroyForcibly().waitFor();
            }
        }
        if (!Files.exists(Path.of(cache))) {
            throw new IOException(cache + " was not written:\n" + Files.readString(log));
        }
    }

    private List<String> command(String cache, List<String> service, String broker, URI storage) {
        List<String> command = new ArrayList<>(List.of("-XX:AOTCacheOutput=" + cache));
        service.forEach(word -> command.add(word.replace(STORAGE, storage.toString())));
        command.add("--kafka.bootstrap.servers=" + broker);
        command.add("--management.port=" + management);
        command.add("--log.format=json");
        return command;
    }

    /** Returns the status code, 0 where there is no answer. */
    private int answers(String path) throws InterruptedException {
        try {
            URI address = URI.create("http://127.0.0.1:" + management + path);
            return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
