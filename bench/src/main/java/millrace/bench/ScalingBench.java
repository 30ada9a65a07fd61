package millrace.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import millrace.bench.ledger.LedgerCommands;
import millrace.bench.ledger.LedgerMain;
import millrace.bench.ledger.LedgerSetup;
import millrace.bench.notifier.WaitingEvents;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.Measurements;
import millrace.bench.process.ReportClient;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.SingleProcessor;
import millrace.bench.process.TemporaryFolders;
import millrace.bench.rendering.DemographicsTable;

/**
 * Measures whether cost grows in line with work: the cost of a row, of a report's commands and of a
 * waiting webhook with 1, 10 and 100 times as many rows of a report, accounts, and waiting
 * webhooks.
 */
public final class ScalingBench {
    private static final int ROWS_PER_DOMAIN = 300;
    private static final int MONTHS = ROWS_PER_DOMAIN / DemographicsTable.ROWS_PER_MONTH;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final BenchOptions options;
    private final FlightRecording profile;

    private ScalingBench(BenchOptions options) {
        this.options = options;
        this.profile = FlightRecording.of(options);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--parts reports,accounts,webhooks --rows 9000,90000,900000 --accounts 100,1000,10000"
                        + " --webhooks 10000,100000,1000000 --rounds 3 --all-rows 2700000 --warm-up 60000 --commands 80000"
                        + " --heap 400m --profile none",
                "--rows 3000,30000,300000 --webhooks 1000,10000,100000 --rounds 1 --all-rows 300000 --warm-up 10000"
                        + " --commands 10000");
        var bench = new ScalingBench(options);
        for (String part : options.text("parts").split(",", -1)) {
            switch (part) {
                case "reports" -> bench.reports();
                case "accounts" -> bench.accounts();
                case "webhooks" -> bench.webhooks();
                default -> throw new IllegalArgumentException("no such part: " + part);
            }
        }
    }

    /** Renders the same total of rows in reports of each size. */
    private void reports() throws IOException, InterruptedException {
        int[] sizes = options.numbers("rows");
        int most = IntStream.of(sizes).max().orElseThrow() / ROWS_PER_DOMAIN;
        Path folder = Files.createTempDirectory("millrace-bench");
        DemographicsTable table = DemographicsTable.create(folder.resolve("warehouse"), most + 1, MONTHS);
        List<List<Double>> micros = IntStream.of(sizes)
                .mapToObj(s -> (List<Double>) new ArrayList<Double>())
                .toList();
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            String servers = KafkaMain.servers(kafka);
            try (SingleGateway gateway = SingleGateway.start(folder, servers, List.of("-Xmx256m"));
                    ChildProcess processor = SingleProcessor.start(folder, servers, gateway, jvmOptions("-Xmx512m"));
                    HttpClient http = HttpClient.newHttpClient()) {
                var client = new ReportClient(gateway, SingleGateway.KEY, http);
                for (int round = 0; round <= options.number("rounds"); round++) {
                    for (int size = 0; size < sizes.length; size++) {
                        double cost = cost(client, processor, table, sizes[size]);
                        if (round > 0) { // the first is for warming up
                            micros.get(size).add(cost);
                        }
                    }
                }
                profile.dump(processor, "scaling-reports");
            }
        } finally {
            TemporaryFolders.delete(folder);
        }
        print(
                "rows of a report",
                "us of the processor's CPU per row",
                sizes,
                micros.stream().map(Measurements::of).toList());
    }

    private double cost(ReportClient client, ChildProcess processor, DemographicsTable table, int rows)
            throws IOException, InterruptedException {
        int domains = rows / ROWS_PER_DOMAIN;
        int count = Math.max(1, options.number("all-rows") / rows);
        Duration before = processor.cpu();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int first = (int) (i * 7_919L % (table.domains() - domains));
            ids.add(client.submit(table.request(first, domains)));
        }
        for (String id : ids) {
            client.ended(id, POLL_INTERVAL);
        }
        return processor.cpu().minus(before).toNanos() / 1e3 / count / (domains * ROWS_PER_DOMAIN);
    }

    private void accounts() throws IOException, InterruptedException {
        int[] sizes = options.numbers("accounts");
        List<Measurements> micros = new ArrayList<>();
        for (int size : sizes) {
            List<Double> costs = new ArrayList<>();
            try (var stage = new LedgerSetup(LedgerMain.Program.LEDGER, new LedgerCommands(size, true), profile)) {
                for (int round = 0; round < options.number("rounds"); round++) {
                    // Each account has had a report before the measurement begins.
                    int warmUp = Math.max(options.number("warm-up"), (1 + LedgerCommands.PER_REPORT) * size);
                    costs.add(LedgerCommands.PER_REPORT
                            * stage.round(warmUp, options.number("commands")).cpu());
                }
            }
            micros.add(Measurements.of(costs));
        }
        print("accounts", "us of the ledger's CPU per report, accepted and settled", sizes, micros);
    }

    private void webhooks() throws IOException, InterruptedException {
        int[] sizes = options.numbers("webhooks");
        List<Measurements> seconds = new ArrayList<>();
        List<Measurements> bytes = new ArrayList<>();
        try (var waiting = new WaitingEvents(1_000)) {
            WaitingEvents.Start empty = median(waiting);
            for (int size : sizes) {
                waiting.fill(size);
                WaitingEvents.Start start = median(waiting);
                print(size, start, empty);
                seconds.add(Measurements.of((start.seconds() - empty.seconds()) * 1e6 / size));
                bytes.add(Measurements.of((double) (start.liveBytes() - empty.liveBytes()) / size));
            }
        }
        // With the fewest events a start takes as long as an empty one.
        int from = Math.min(1, sizes.length - 1);
        print(
                "waiting webhooks",
                "us until ready per event, beyond an empty start",
                Arrays.copyOfRange(sizes, from, sizes.length),
                seconds.subList(from, seconds.size()));
        print("waiting webhooks", "bytes live per event, beyond an empty start", sizes, bytes);
    }

    private WaitingEvents.Start median(WaitingEvents waiting) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        long peak = 0;
        for (int round = 0; round < options.number("rounds"); round++) {
            WaitingEvents.Start start = waiting.start(options.text("heap"));
            seconds.add(start.seconds());
            bytes.add((double) start.liveBytes());
            peak = Math.max(peak, start.peakMemory());
        }
        return new WaitingEvents.Start(
                Measurements.of(seconds).median(), (long) Measurements.of(bytes).median(), peak);
    }

    private String[] jvmOptions(String heap) {
        return profile.with(heap).toArray(String[]::new);
    }

    @SuppressWarnings("SystemOut")
    private static void print(int events, WaitingEvents.Start start, WaitingEvents.Start empty) {
        System.out.printf(
                Locale.ROOT,
                "%,d webhooks wait: ready after %.1f s (empty %.1f s), live %,d MB (empty %,d MB), resident at most %,d MB%n",
                events,
                start.seconds(),
                empty.seconds(),
                start.liveBytes() >> 20,
                empty.liveBytes() >> 20,
                start.peakMemory() >> 20);
    }

    @SuppressWarnings("SystemOut")
    private static void print(String what, String unit, int[] sizes, List<Measurements> costs) {
        System.out.println(what + ": " + unit);
        for (int i = 0; i < sizes.length; i++) {
            System.out.printf(Locale.ROOT, "  %,10d  %s%n", sizes[i], costs.get(i));
        }
        System.out.printf(
                Locale.ROOT,
                "  the largest costs %.2f times the smallest%n",
                costs.getLast().median() / costs.getFirst().median());
    }
}
