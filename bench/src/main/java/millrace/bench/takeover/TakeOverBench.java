package millrace.bench.takeover;

import static millrace.bench.process.BenchKafka.get;
import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.bench.ledger.LedgerCommands;
import millrace.bench.ledger.LedgerSetup;
import millrace.bench.notifier.BenchEvents;
import millrace.bench.notifier.Receivers;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Cluster;
import millrace.bench.process.Measurements;
import millrace.bench.process.Service;
import millrace.bench.process.SingleGateway;
import millrace.bench.rendering.DemographicsTable;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Kills one of two gateways, processors and notifiers under a steady load, beside a number of reports that have ended,
 * and measures how long clients wait; it fails if a report does not end well, or its webhook does not come. All runs on
 * this machine, over one broker. The reports that have ended were decided by a ledger from commands: no worker has
 * rendered them, and they have no webhooks.
 */
public final class TakeOverBench {
    private static final int PARTITIONS = BenchKafka.PARTITIONS;
    /** Accounts of the reports that have ended. */
    private static final int FILLED_ACCOUNTS = 100;

    private static final int LOAD_ACCOUNTS_PER_PARTITION = 4;
    private static final int DOMAINS = 2_000;
    private static final int MONTHS = 10;

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    /** Half of the reports of so long a time are quicker than {@link #WARM} when the processes are warm. */
    private static final Duration RECENT = Duration.ofSeconds(5);

    private static final Duration WARM = Duration.ofMillis(300);
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(40);
    private static final Duration QUIET = Duration.ofSeconds(10);
    /** Longer than the session of 6 s, after which others take over. */
    private static final Duration SHORTEST = Duration.ofSeconds(12);
    /** No report is open for so long when nothing fails. */
    private static final Duration OPEN = Duration.ofSeconds(3);

    /**
     * As in the cluster of processes of decision 0027: the serial collector, as in a small container, and only the
     * first compiler, since eight JVMs with the second one would take two cores for minutes.
     */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final BenchOptions options;
    private final List<Row> rows = new ArrayList<>();

    /**
     * What happened at a moment, and until when clients are looked at; microseconds since the epoch.
     *
     * @param accounts whether what fails decides the account's reports
     * @param endpoints whether what fails sends the account's webhooks
     */
    private record Row(
            String what, long from, long to, Predicate<LoadAccount> accounts, Predicate<LoadAccount> endpoints) {}

    private TakeOverBench(BenchOptions options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 20000 --rate 20 --gateway-heap 1g --processor-heap 512m",
                "--reports 2000 --rate 10");
        new TakeOverBench(options).run();
    }

    private void run() throws IOException, InterruptedException {
        try (var setup = new LedgerSetup(BenchKafka.start(), new LedgerCommands(FILLED_ACCOUNTS, false, false));
                Receivers receiver = Receivers.start(1, setup.kafka().folder())) {
            BenchKafka kafka = setup.kafka();
            fill(setup);
            receiver.tell("record");
            String webhook = receiver.url(0, "fine", 0);
            List<LoadAccount> accounts = LoadAccount.of(PARTITIONS, LOAD_ACCOUNTS_PER_PARTITION, webhook);
            DemographicsTable table = DemographicsTable.create(kafka.folder().resolve("warehouse"), DOMAINS, MONTHS);
            Path unused = BenchAccounts.write(
                    kafka.folder(),
                    Stream.concat(
                            IntStream.range(0, FILLED_ACCOUNTS).mapToObj(number -> "a" + number),
                            accounts.stream().map(LoadAccount::id)));
            try (var services = new Cluster(kafka)) {
                for (Service service : Service.values()) {
                    print("%ss ready after %.1f s", service.word(), start(services, service, names(service)));
                }
                services.awaitShares(Service.PROCESSOR, PARTITIONS / 2);
                services.awaitShares(Service.NOTIFIER, PARTITIONS / 2);
                for (SingleGateway gateway : services.gateways()) {
                    gateway.awaitActivity(accounts.getFirst().id());
                }
                try (var load = new SteadyReports(
                        () -> addresses(services), accounts, table, webhook, options.number("rate"))) {
                    load.start();
                    measure(services, load, receiver);
                }
            }
        }
    }

    private static List<String> names(Service service) {
        return Cluster.names(service, 2);
    }

    private static List<String> addresses(Cluster services) {
        return services.gateways().stream().map(SingleGateway::address).toList();
    }

    private double start(Cluster services, Service service, List<String> names)
            throws IOException, InterruptedException {
        String heap =
                switch (service) {
                    case GATEWAY -> options.text("gateway-heap");
                    case PROCESSOR -> options.text("processor-heap");
                    case NOTIFIER -> "256m";
                };
        List<String> jvm = Stream.concat(JVM.stream(), Stream.of("-Xmx" + heap)).toList();
        return services.start(service, names, jvm);
    }

    private void fill(LedgerSetup setup) throws IOException, InterruptedException {
        int reports = options.number("reports");
        long start = System.nanoTime();
        setup.grant();
        setup.run(reports, 0);
        try (ChildProcess ledger = setup.ledger("state")) {
            setup.awaitDecided();
            ledger.end(TIMEOUT);
        }
        skipTasks(setup.kafka().admin(), ConsumerGroups.SMALL_RENDERERS, Topics.SMALL_REPORTS);
        skipTasks(setup.kafka().admin(), ConsumerGroups.RENDERERS, Topics.SLICES);
        Path folder = setup.kafka().folder();
        for (String name : names(Service.PROCESSOR)) {
            copyState(folder.resolve("state"), folder.resolve(name).resolve("state"));
        }
        print(
                "%,d reports of %d accounts have ended, after %.0f s: a ledger has decided their requests and the answers"
                        + " of workers, which are commands of this bench. Nothing was rendered, and they have no webhooks.",
                reports, FILLED_ACCOUNTS, (System.nanoTime() - start) / 1e9);
    }

    /** Commits that the tasks of the filled reports are done, as their answers say. */
    private static void skipTasks(Admin admin, String group, Topic<?> topic) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        get(admin.listOffsets(topic.ends(PARTITIONS)).all())
                .forEach((partition, end) -> done.put(partition, new OffsetAndMetadata(end.offset())));
        Void unused = get(admin.alterConsumerGroupOffsets(group, done).all());
    }

    /**
     * Gives a processor the ledger's state, as it has it after some time with a standby. Without the file that makes
     * Streams take both processors for one.
     */
    private static void copyState(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(file -> !file.endsWith("kafka-streams-process-metadata"))
                    .toList();
        }
        Files.createDirectories(to.getParent());
        for (Path file : files) {
            Files.copy(file, to.resolve(from.relativize(file)));
        }
    }

    private void measure(Cluster services, SteadyReports load, Receivers receiver)
            throws IOException, InterruptedException {
        warmUp(load, receiver);
        long quiet = BenchEvents.micros();
        await(load, receiver, quiet, QUIET);
        add("nothing", quiet, any -> true, any -> true);

        fail(Service.GATEWAY, names(Service.GATEWAY).getFirst(), services, load, receiver);
        String processor = busiest(services.owned(Service.PROCESSOR));
        fail(Service.PROCESSOR, processor, services, load, receiver);
        String notifier = busiest(services.owned(Service.NOTIFIER));
        fail(Service.NOTIFIER, notifier, services, load, receiver);
        load.stop();
        await(load, receiver, BenchEvents.micros(), Duration.ZERO);
        table(load.all());
        print("%n%,d requests, %d of their calls repeated", load.all().size(), load.repeated());
    }

    /** Kills it, waits until all is as before, and starts it again. */
    private void fail(Service service, String name, Cluster services, SteadyReports load, Receivers receiver)
            throws IOException, InterruptedException {
        Predicate<LoadAccount> accounts = any -> true;
        Predicate<LoadAccount> endpoints = any -> true;
        if (service == Service.PROCESSOR) {
            Set<Integer> owned = services.owned(service).getOrDefault(name, Set.of());
            accounts = account -> owned.contains(account.partition());
            endpoints = accounts;
        } else if (service == Service.NOTIFIER) {
            Set<Integer> owned = services.owned(service).getOrDefault(name, Set.of());
            endpoints = account -> owned.contains(account.endpointPartition());
        }
        long killed = BenchEvents.micros();
        services.kill(name);
        await(load, receiver, killed, SHORTEST);
        add(service.word() + " killed", killed, accounts, endpoints);
        long begun = BenchEvents.micros();
        double ready = start(services, service, List.of(name));
        await(load, receiver, BenchEvents.micros(), SHORTEST);
        String back = String.format(Locale.ROOT, "%s back, ready after %.1f s", service.word(), ready);
        add(back, begun, any -> true, any -> true);
    }

    private static String busiest(Map<String, Set<Integer>> owned) {
        return owned.entrySet().stream()
                .max(Comparator.comparingInt(one -> one.getValue().size()))
                .orElseThrow()
                .getKey();
    }

    private void add(String what, long from, Predicate<LoadAccount> accounts, Predicate<LoadAccount> endpoints) {
        rows.add(new Row(what, from, BenchEvents.micros(), accounts, endpoints));
    }

    private void warmUp(SteadyReports load, Receivers receiver) throws IOException, InterruptedException {
        long begun = BenchEvents.micros();
        Measurements recent;
        do {
            LockSupport.parkNanos(INTERVAL.toNanos());
            receive(load, receiver);
            long since = BenchEvents.micros() - micros(RECENT);
            recent = Measurements.of(load.all().stream()
                    .filter(report -> report.due >= since && report.done())
                    .map(report -> (report.delivered - report.due) / 1e3)
                    .toList());
        } while (BenchEvents.micros() - begun < micros(LONGEST_WARM_UP)
                // At the beginning there is none, and the median is NaN.
                && !(BenchEvents.micros() - begun > micros(RECENT) && recent.median() < WARM.toMillis()));
        print(
                "%d reports a second of %d accounts, each with 600 rows and a webhook; after %.0f s half of them take %.0f ms",
                options.number("rate"),
                PARTITIONS * LOAD_ACCOUNTS_PER_PARTITION,
                (BenchEvents.micros() - begun) / 1e6,
                recent.median());
    }

    /** Waits until so much time has passed and no report is open for longer than usual. */
    private void await(SteadyReports load, Receivers receiver, long since, Duration least)
            throws IOException, InterruptedException {
        boolean last = least.isZero();
        while (true) {
            receive(load, receiver);
            long now = BenchEvents.micros();
            long due = last ? now : now - micros(OPEN);
            List<FollowedReport> open = load.all().stream()
                    .filter(report -> report.due < due && !report.done())
                    .toList();
            if (open.isEmpty() && now - since >= micros(least)) {
                return;
            }
            if (now - since > micros(TIMEOUT)) {
                throw new IllegalStateException(
                        open.size() + " reports are open after " + TIMEOUT + ", the first is " + open.getFirst().id);
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
    }

    /** Notes which events have arrived. */
    private static void receive(SteadyReports load, Receivers receiver) throws IOException, InterruptedException {
        Map<String, List<Long>> arrivals = receiver.arrivals();
        for (FollowedReport report : load.all()) {
            List<Long> times = arrivals.get(report.id + ".2");
            if (times != null) {
                report.delivered = times.getFirst();
            }
        }
    }

    private void table(List<FollowedReport> all) {
        Row quiet = rows.getFirst();
        print("%nseconds: the longest time without any; the longest from the request; until no more wait than before");
        print("%-40s %-25s %-25s %-25s", "", "    accepted (200)", "    seen complete", "    webhook delivered");
        for (Row row : rows) {
            print(
                    "%-40s %-25s %-25s %-25s",
                    row.what,
                    waits(row, quiet, all, report -> report.answered, any -> true),
                    waits(row, quiet, all, report -> report.ended, row.accounts),
                    waits(row, quiet, all, report -> report.delivered, row.endpoints));
        }
    }

    private static Waits waits(
            Row row,
            Row quiet,
            List<FollowedReport> all,
            ToLongFunction<FollowedReport> end,
            Predicate<LoadAccount> affected) {
        List<Waits.Span> spans = all.stream()
                .map(report -> new Waits.Span(report.due, end.applyAsLong(report), affected.test(report.account)))
                .toList();
        return Waits.between(row.from, row.to, Waits.mostWaiting(quiet.from, quiet.to, spans), spans);
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1000;
    }
}
