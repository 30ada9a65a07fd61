package millrace.bench.takeover;

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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.bench.ledger.LedgerCommands;
import millrace.bench.ledger.LedgerMain;
import millrace.bench.ledger.LedgerSetup;
import millrace.bench.notifier.BenchEvents;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.Measurements;
import millrace.bench.rendering.DemographicsTable;
import millrace.bench.takeover.Services.Role;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.accounts.AccountsFile;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Kills one of two gateways, processors and notifiers under a steady load, beside a number of reports that have ended,
 * and measures how long clients wait. Checks that nothing is lost or doubled. All runs on this machine, over one
 * broker; the table has the times of decision 0027 beside its own. The reports that have ended were decided by a
 * ledger from commands: no worker has rendered them, and they have no webhooks.
 */
public final class TakeOverBench {
    private static final int PARTITIONS = KafkaMain.PARTITIONS;
    /** Accounts of the reports that have ended. */
    private static final int FILLED_ACCOUNTS = 100;

    private static final int LOAD_ACCOUNTS_PER_PARTITION = 4;
    private static final int DOMAINS = 2_000;
    private static final int MONTHS = 10;

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    /** Half of the reports of so long a time are quicker than {@link #WARM} where the processes are warm. */
    private static final Duration RECENT = Duration.ofSeconds(5);

    private static final Duration WARM = Duration.ofMillis(300);
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(40);
    private static final Duration QUIET = Duration.ofSeconds(10);
    /** Longer than the session of 6 s, after which others take over. */
    private static final Duration SHORTEST = Duration.ofSeconds(12);
    /** No report is open for so long where nothing fails. */
    private static final Duration OPEN = Duration.ofSeconds(3);

    private final BenchOptions options;
    private final LedgerCommands commands = new LedgerCommands(FILLED_ACCOUNTS, false);
    private final List<Row> rows = new ArrayList<>();

    /**
     * What happened at a moment, and until when clients are looked at; microseconds since the epoch.
     *
     * @param accounts whether what fails decides the account's reports
     * @param endpoints whether what fails sends the account's webhooks
     * @param decided what decision 0027 has for it
     */
    private record Row(
            String what,
            long from,
            long to,
            Predicate<LoadAccount> accounts,
            Predicate<LoadAccount> endpoints,
            String decided) {}

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
        var none = new FlightRecording(null);
        try (var setup = new LedgerSetup(LedgerMain.Program.LEDGER, commands, none);
                Receiver receiver = Receiver.start(setup.folder())) {
            fill(setup);
            List<LoadAccount> accounts = LoadAccount.of(PARTITIONS, LOAD_ACCOUNTS_PER_PARTITION, receiver.url());
            DemographicsTable table = DemographicsTable.create(setup.folder().resolve("warehouse"), DOMAINS, MONTHS);
            try (var services = new Services(
                    setup.folder(),
                    setup.servers(),
                    declared(accounts),
                    options.text("gateway-heap"),
                    options.text("processor-heap"))) {
                for (Role role : Role.values()) {
                    print("%ss ready after %s s", role.word(), seconds(services.start(role)));
                }
                services.awaitShared(Role.PROCESSOR, PARTITIONS);
                services.awaitShared(Role.NOTIFIER, PARTITIONS);
                services.awaitActivity(accounts.getFirst());
                try (SteadyReports load = SteadyReports.start(
                        services::gateways, accounts, table, receiver.url(), options.number("rate"))) {
                    measure(services, load, receiver);
                    check(setup, services, load, receiver);
                }
            }
        }
    }

    private void fill(LedgerSetup setup) throws IOException, InterruptedException {
        int reports = options.number("reports");
        long start = System.nanoTime();
        setup.end(reports);
        skipTasks(setup.servers());
        for (String name : Role.PROCESSOR.names()) {
            copyState(
                    setup.folder().resolve("state"),
                    Services.own(setup.folder(), name).resolve("state"));
        }
        print(
                "%,d reports of %d accounts have ended, after %.0f s: a ledger has decided their requests and the answers"
                        + " of workers, which are commands of this bench. Nothing was rendered, and they have no webhooks.",
                reports, FILLED_ACCOUNTS, (System.nanoTime() - start) / 1e9);
    }

    /** Commits that the tasks of the filled reports are done, as their answers say. */
    private static void skipTasks(String servers) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            skipTasks(admin, ConsumerGroups.SMALL_RENDERERS, Topics.SMALL_REPORTS);
            skipTasks(admin, ConsumerGroups.RENDERERS, Topics.SLICES);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static void skipTasks(Admin admin, String group, Topic<?> topic)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = topic.ends(PARTITIONS);
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        admin.listOffsets(ends)
                .all()
                .get()
                .forEach((partition, end) -> done.put(partition, new OffsetAndMetadata(end.offset())));
        admin.alterConsumerGroupOffsets(group, done).all().get();
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

    private static AccountsFile declared(List<LoadAccount> accounts) {
        return new AccountsFile(Stream.concat(
                        IntStream.range(0, FILLED_ACCOUNTS).mapToObj(number -> "a" + number),
                        accounts.stream().map(LoadAccount::id))
                .map(LoadAccount::declared)
                .toList());
    }

    private void measure(Services services, SteadyReports load, Receiver receiver)
            throws IOException, InterruptedException {
        warmUp(load, receiver);
        long quiet = BenchEvents.micros();
        await(load, receiver, quiet, QUIET);
        add("nothing", quiet, any -> true, any -> true, "0.15 to 0.3 s");

        fail(Role.GATEWAY, Role.GATEWAY.names().getFirst(), services, load, receiver, "1.0 s");
        String processor = busiest(services.owned(Role.PROCESSOR));
        fail(Role.PROCESSOR, processor, services, load, receiver, "7.6 s");
        String notifier = busiest(services.owned(Role.NOTIFIER));
        fail(Role.NOTIFIER, notifier, services, load, receiver, "6.6 s to webhooks, 0.3 s to the end");
        load.stop();
        await(load, receiver, BenchEvents.micros(), Duration.ZERO);
        table(load.all());
    }

    /** Kills it, waits until all is as before, and starts it again. */
    private void fail(Role role, String name, Services services, SteadyReports load, Receiver receiver, String decided)
            throws IOException, InterruptedException {
        Predicate<LoadAccount> accounts = any -> true;
        Predicate<LoadAccount> endpoints = any -> true;
        if (role == Role.PROCESSOR) {
            Set<Integer> owned = services.owned(role).getOrDefault(name, Set.of());
            accounts = account -> owned.contains(account.partition());
            endpoints = accounts;
        } else if (role == Role.NOTIFIER) {
            Set<Integer> owned = services.owned(role).getOrDefault(name, Set.of());
            endpoints = account -> owned.contains(account.endpointPartition());
        }
        long killed = BenchEvents.micros();
        services.kill(name);
        await(load, receiver, killed, SHORTEST);
        add(role.word() + " killed", killed, accounts, endpoints, decided);
        long begun = BenchEvents.micros();
        double ready = services.start(role, name);
        await(load, receiver, BenchEvents.micros(), SHORTEST);
        String back = String.format(Locale.ROOT, "%s back, ready after %.1f s", role.word(), ready);
        add(back, begun, any -> true, any -> true, "part of the above");
    }

    private static String busiest(Map<String, Set<Integer>> owned) {
        return owned.entrySet().stream()
                .max(Comparator.comparingInt(one -> one.getValue().size()))
                .orElseThrow()
                .getKey();
    }

    private void add(
            String what, long from, Predicate<LoadAccount> accounts, Predicate<LoadAccount> endpoints, String decided) {
        rows.add(new Row(what, from, BenchEvents.micros(), accounts, endpoints, decided));
    }

    private void warmUp(SteadyReports load, Receiver receiver) throws IOException, InterruptedException {
        long begun = BenchEvents.micros();
        Measurements recent;
        do {
            LockSupport.parkNanos(INTERVAL.toNanos());
            receive(load, receiver);
            long since = BenchEvents.micros() - micros(RECENT);
            recent = Measurements.of(load.all().stream()
                    .filter(report -> report.due() >= since && report.done())
                    .map(report -> (report.delivered() - report.due()) / 1e3)
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
    private void await(SteadyReports load, Receiver receiver, long since, Duration least)
            throws IOException, InterruptedException {
        boolean last = least.isZero();
        while (true) {
            receive(load, receiver);
            long now = BenchEvents.micros();
            long due = last ? now : now - micros(OPEN);
            List<FollowedReport> open = load.all().stream()
                    .filter(report -> report.due() < due && !report.done())
                    .toList();
            if (open.isEmpty() && now - since >= micros(least)) {
                return;
            }
            if (now - since > micros(TIMEOUT)) {
                throw new IllegalStateException(open.size() + " reports are open after " + TIMEOUT + ", the first is "
                        + open.getFirst().id());
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
    }

    /** Notes which events have arrived. */
    private static void receive(SteadyReports load, Receiver receiver) throws IOException, InterruptedException {
        Map<String, List<Long>> arrivals = receiver.arrivals();
        for (FollowedReport report : load.all()) {
            List<Long> times = arrivals.get(report.id() + ".2");
            if (times != null) {
                report.delivered(times.getFirst());
            }
        }
    }

    private void table(List<FollowedReport> all) {
        Row quiet = rows.getFirst();
        print("%nseconds: the longest time without any; the longest from the request; until no more wait than before");
        print(
                "%-40s %-25s %-25s %-25s %s",
                "", "    accepted (200)", "    seen complete", "    webhook delivered", "decision 0027, processes");
        for (Row row : rows) {
            print(
                    "%-40s %-25s %-25s %-25s %s",
                    row.what,
                    waits(row, quiet, all, FollowedReport::answered, any -> true),
                    waits(row, quiet, all, FollowedReport::ended, row.accounts),
                    waits(row, quiet, all, FollowedReport::delivered, row.endpoints),
                    row.decided);
        }
    }

    private static Waits waits(
            Row row,
            Row quiet,
            List<FollowedReport> all,
            ToLongFunction<FollowedReport> end,
            Predicate<LoadAccount> affected) {
        List<Waits.Span> spans = all.stream()
                .map(report -> new Waits.Span(report.due(), end.applyAsLong(report), affected.test(report.account())))
                .toList();
        return Waits.between(row.from, row.to, Waits.mostWaiting(quiet.from, quiet.to, spans), spans);
    }

    private void check(LedgerSetup setup, Services services, SteadyReports load, Receiver receiver)
            throws IOException, InterruptedException {
        int reports = options.number("reports");
        List<FollowedReport> all = load.all();
        try (var outcome = new OutcomeChecks(services.gateways(), all, commands, reports)) {
            outcome.reports();
            long entries = outcome.ledger(setup.servers(), PARTITIONS);
            long again = outcome.webhooks(receiver.arrivals());
            outcome.none();
            print(
                    "%n%,d requests, %d of their calls repeated: as many reports, all complete at both gateways, each"
                            + " settled once; %,d entries of the ledger add up; %,d events, %d of them came again",
                    all.size(), load.repeated(), entries, 2L * all.size(), again);
        }
    }

    private static String seconds(List<Double> all) {
        return String.join(
                " and ",
                all.stream().map(one -> String.format(Locale.ROOT, "%.1f", one)).toList());
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1000;
    }

    @SuppressWarnings("SystemOut")
    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
