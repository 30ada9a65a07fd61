package millrace.bench;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.bench.process.Service;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.StandaloneService;
import millrace.bench.rendering.DemographicsTable;
import millrace.standalone.StandaloneMain;

/**
 * Measures the time and CPU from the start of each service, and of all in one process, until it is ready, with and
 * without an archive of loaded classes (as the launcher uses), and with an AOT cache, which also has profiles of
 * methods.
 */
public final class StartBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final BenchKafka kafka;
    private final int rounds;

    /** Files that a start can write for later starts. */
    private enum Kept {
        CLASSES("archive"),
        AOT("AOT cache");

        private final String words;

        Kept(String words) {
            this.words = words;
        }

        List<String> write(Path file) {
            return switch (this) {
                case CLASSES -> List.of("-XX:ArchiveClassesAtExit=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
                case AOT -> List.of("-XX:AOTCacheOutput=" + file, "-Xlog:aot=off,aot+codecache=off");
            };
        }

        List<String> use(Path file) {
            return switch (this) {
                case CLASSES -> List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
                case AOT -> List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off");
            };
        }
    }

    /** Both in seconds; the CPU time is that of all threads. */
    private record Start(double wall, double cpu) {}

    private StartBench(BenchKafka kafka, int rounds) {
        this.kafka = kafka;
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options =
                BenchOptions.parse(arguments, "--rounds 7 --of gateway,processor,notifier,millrace", "--rounds 1");
        try (BenchKafka kafka = BenchKafka.start()) {
            Path accounts = BenchAccounts.write(kafka.folder(), Stream.of(SingleGateway.ACCOUNT));
            DemographicsTable.create(accounts.resolveSibling("warehouse"), 10, 2);
            var bench = new StartBench(kafka, options.number("rounds"));
            print("seconds until ready, median (least to greatest), and CPU seconds until then");
            for (String name : options.text("of").split(",", -1)) {
                bench.measure(name);
            }
        }
    }

    private void measure(String name) throws IOException, InterruptedException {
        Start unused = start(name, List.of()); // creates what is created once
        starts(name, name, List.of());
        for (Kept kept : Kept.values()) {
            Path file = kafka.folder().resolve("kept");
            unused = start(name, kept.write(file));
            starts(name + ", " + kept.words + " of " + (Files.size(file) >> 20) + " MiB", name, kept.use(file));
            Files.delete(file);
        }
    }

    private void starts(String what, String name, List<String> jvmOptions) throws IOException, InterruptedException {
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            starts.add(start(name, jvmOptions));
        }
        print(
                "%-44s %-24s %s",
                what,
                Measurements.of(starts.stream().map(Start::wall).toList()),
                Measurements.of(starts.stream().map(Start::cpu).toList()));
    }

    private Start start(String name, List<String> jvmOptions) throws IOException, InterruptedException {
        long began = System.nanoTime();
        ChildProcess child = launch(name, jvmOptions);
        Service.awaitReady(child);
        var start = new Start((System.nanoTime() - began) / 1e9, child.cpu().toNanos() / 1e9);
        child.end(TIMEOUT);
        return start;
    }

    /** @param name of a service, or {@code millrace} for all of it in one process with the data of earlier starts */
    private ChildProcess launch(String name, List<String> jvmOptions) throws IOException {
        if (name.equals("millrace")) {
            List<String> jvm = Stream.concat(StandaloneService.JVM_OPTIONS.stream(), jvmOptions.stream())
                    .toList();
            return ChildProcess.start(
                    StandaloneMain.class,
                    jvm,
                    "--port=0",
                    "--management.port=0",
                    "--data=" + kafka.folder().resolve("data"));
        }
        Service service = Service.valueOf(name.toUpperCase(Locale.ROOT));
        List<String> jvm =
                Stream.concat(Stream.of("-Xmx512m"), jvmOptions.stream()).toList();
        String[] settings = service == Service.PROCESSOR ? new String[] {"--processor.standbys=0"} : new String[0];
        return service.launch(kafka, kafka.folder(), jvm, settings);
    }
}
