package millrace.bench.process;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.standalone.StandaloneMain;
import millrace.standalone.demo.DemoNames;
import millrace.standalone.folder.DataFolder;

/**
 * All of Millrace as a process, or what it is measured beside. The first start on a folder without a warehouse generates
 * the demo data.
 *
 * @param key of the demo account; empty if the folder has accounts of its own
 */
public record StandaloneService(ChildProcess process, String address, String key) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Heap options of the launcher. */
    static final List<String> HEAP =
            List.of("-XX:-G1UseAdaptiveIHOP", "-XX:InitiatingHeapOccupancyPercent=60", "-XX:+ExitOnOutOfMemoryError");

    /** JVM options of the launcher. */
    public static final List<String> JVM_OPTIONS =
            Stream.concat(Stream.of("-Xms256m", "-Xmx1g"), HEAP.stream()).toList();

    /**
     * The folder of the option {@code --data}, with nothing in it but the warehouse of earlier runs: their state would
     * be measured, too, and if another build has written it, how it is migrated. A folder that the caller names stays
     * as it is.
     */
    public static Path folder(BenchOptions options) throws IOException {
        try (DataFolder data = DataFolder.open(Path.of(options.text("data")))) {
            if (!options.isGiven("data")) {
                keepWarehouse(data);
            } else if (Files.exists(data.kafka())) {
                print("goes on with the state in %s, which is measured, too", data.root());
            }
            return data.root();
        }
    }

    private static void keepWarehouse(DataFolder data) throws IOException {
        List<Path> all;
        try (Stream<Path> children = Files.list(data.root())) {
            all = children.toList();
        }
        for (Path child : all) {
            if (!child.equals(data.warehouse())) {
                Folders.delete(child);
            }
        }
    }

    /** Starts it and waits until it is ready. */
    public static StandaloneService start(Path data, String... settings) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("--data=" + Files.createDirectories(data).toAbsolutePath(), "--port=0"));
        all.addAll(List.of(settings));
        ChildProcess process = ChildProcess.start(StandaloneMain.class, JVM_OPTIONS, all.toArray(String[]::new));
        String address = "";
        String key = "";
        for (String line = ""; !line.contains("Ctrl-C stops"); line = process.await("", TIMEOUT)) {
            address = line.startsWith("  address") ? word(line) : address;
            key = line.startsWith("  batch key") ? word(line) : key;
        }
        return new StandaloneService(process, address, key);
    }

    private static String word(String line) {
        return line.strip().split(" {2,}", -1)[1];
    }

    /**
     * The body of a request for site keywords in three countries over six weeks: about 180 rows a
     * domain.
     *
     * @param number decides the domains
     * @param count domains
     * @param more further fields, each after a comma
     */
    public static String body(int number, int count, String more) {
        List<String> names = DemoNames.domains();
        var domains = new StringBuilder();
        for (int i = 0; i < count; i++) {
            domains.append(i == 0 ? "\"" : ",\"")
                    .append(names.get(Math.floorMod(number * 31 + i * 97, names.size())))
                    .append('"');
        }
        return """
                {"domains":[%s],"countries":["US","GB","WW"],"metrics":["desktop_keywords_total_visits"],
                 "start_date":"2026-09-21","end_date":"2026-11-01","granularity":"weekly"%s}""".formatted(domains, more);
    }

    public HttpRequest report(String apiKey, String body) {
        return request("/v3/batch/site_keywords/request-report", apiKey)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    public HttpRequest.Builder request(String path, String apiKey) {
        return HttpLoad.request(URI.create(address + path)).header("api-key", apiKey);
    }

    @Override
    public void close() {
        process.close();
    }
}
