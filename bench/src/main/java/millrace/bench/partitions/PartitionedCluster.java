package millrace.bench.partitions;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.ReportClient;
import millrace.bench.process.SingleGateway;
import millrace.bench.rendering.DemographicsTable;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.notifier.bootstrap.NotifierMain;
import millrace.processor.bootstrap.ProcessorMain;
import millrace.runtime.accounts.AccountsFile;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** A broker, a gateway, a notifier and some processors as processes, and an account in each partition. */
final class PartitionedCluster implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final int DOMAINS = 1000;
    private static final int MONTHS = 10;

    private final Path folder;
    private final int partitions;
    private final List<String> settings;
    private final DemographicsTable table;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> accounts;
    private final Map<String, ChildProcess> parts = new LinkedHashMap<>();
    private final String servers;
    private final SingleGateway gateway;
    private final Admin admin;

    private PartitionedCluster(Path folder, int partitions, int processors, List<String> settings)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.partitions = partitions;
        this.settings = settings;
        this.accounts = accounts(partitions);
        this.table = DemographicsTable.create(folder.resolve("warehouse"), DOMAINS, MONTHS);
        ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"), 0, partitions, "-Xmx1g");
        parts.put("kafka", kafka);
        this.servers = KafkaMain.servers(kafka);
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
        this.gateway = SingleGateway.start(
                folder,
                servers,
                List.of("-Xmx512m"),
                new AccountsFile(accounts.stream()
                        .map(account -> SingleGateway.account(account, account))
                        .toList()),
                common("gateway"));
        parts.put("gateway", gateway.process());
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (int i = 1; i <= processors; i++) {
            ports.put("processor-" + i, freePort());
        }
        ports.forEach((name, port) -> parts.put(name, processor(name, port)));
        int notifierPort = freePort();
        parts.put("notifier", notifier(notifierPort));
        ports.put("notifier", notifierPort);
        for (Map.Entry<String, Integer> part : ports.entrySet()) {
            awaitReady(part.getKey(), part.getValue());
        }
    }

    /**
     * Starts all of it, and waits until each processor has its share of the partitions.
     *
     * @param settings of all services
     */
    static PartitionedCluster start(Path folder, int partitions, int processors, List<String> settings)
            throws IOException, InterruptedException {
        var cluster = new PartitionedCluster(folder, partitions, processors, settings);
        try {
            cluster.awaitShares(processors);
        } catch (IllegalStateException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /** An account for each partition of the commands; an account's key is its id. */
    private static List<String> accounts(int partitions) {
        Map<Integer, String> found = new TreeMap<>();
        for (int i = 0; found.size() < partitions; i++) {
            found.putIfAbsent(Topic.partition("a" + i, partitions), "a" + i);
        }
        return List.copyOf(found.values());
    }

    private String[] common(String name) {
        List<String> common = new ArrayList<>(settings);
        common.addAll(List.of("--kafka.partitions=" + partitions, "--kafka.instance-id=" + name));
        return common.toArray(String[]::new);
    }

    private ChildProcess processor(String name, int managementPort) {
        return start(
                ProcessorMain.class,
                "-Xmx512m",
                name,
                managementPort,
                "--processor.public-address=" + gateway.address(),
                "--processor.warehouse=" + folder.resolve("warehouse"),
                "--storage.reports=" + folder.resolve("reports"),
                "--storage.link-secret=" + folder.resolve("link-secret"),
                "--processor.state=" + folder.resolve(name).resolve("state"),
                "--processor.duckdb.memory-limit=256MB",
                "--processor.duckdb.temp-directory=" + folder.resolve(name).resolve("scratch"));
    }

    private ChildProcess notifier(int managementPort) {
        return start(
                NotifierMain.class,
                "-Xmx256m",
                "notifier",
                managementPort,
                "--notifier.accounts=" + folder.resolve("accounts.yaml"));
    }

    private ChildProcess start(Class<?> main, String heap, String name, int managementPort, String... settings) {
        List<String> all = new ArrayList<>(List.of(common(name)));
        all.add("--kafka.bootstrap.servers=" + servers);
        all.add("--management.port=" + managementPort);
        all.addAll(List.of(settings));
        try {
            return ChildProcess.start(main, List.of(heap), all.toArray(String[]::new));
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be started", e);
        }
    }

    private void awaitReady(String name, int managementPort) throws InterruptedException {
        HttpRequest readiness = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + managementPort + "/health/ready"))
                .build();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isReady(readiness)) {
            if (!part(name).alive() || System.nanoTime() > deadline) {
                part(name).await("readiness of " + name, Duration.ZERO);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    private boolean isReady(HttpRequest readiness) throws InterruptedException {
        try {
            return http.send(readiness, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // not there yet
        }
    }

    private void awaitShares(int processors) throws InterruptedException {
        int least = partitions / processors;
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (IntStream.rangeClosed(1, processors)
                .anyMatch(i -> partitionsOf("processor-" + i).size() < least)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not every processor has " + least + " partitions after " + TIMEOUT);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    /** The partitions of the commands that a processor has; none while the group is being rebalanced. */
    Set<Integer> partitionsOf(String processor) {
        try {
            ConsumerGroupDescription group =
                    Objects.requireNonNull(admin.describeConsumerGroups(List.of(ConsumerGroups.PROCESSOR))
                            .all()
                            .get()
                            .get(ConsumerGroups.PROCESSOR));
            if (group.groupState() != GroupState.STABLE) {
                return Set.of();
            }
            return group.members().stream()
                    .filter(member -> member.groupInstanceId().orElse("").startsWith(processor + "-"))
                    .map(MemberDescription::assignment)
                    .flatMap(assignment -> assignment.topicPartitions().stream())
                    .map(TopicPartition::partition)
                    .collect(Collectors.toSet());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The processes, by name. */
    Map<String, ChildProcess> parts() {
        return parts;
    }

    /** What each process has used so far, by name. */
    Map<String, Duration> cpu() {
        Map<String, Duration> all = new LinkedHashMap<>();
        parts.forEach((name, process) -> all.put(name, process.cpu()));
        return all;
    }

    ChildProcess part(String name) {
        return Objects.requireNonNull(parts.get(name));
    }

    int partitions() {
        return partitions;
    }

    /** A client of the account in a partition. */
    ReportClient client(int partition) {
        return new ReportClient(gateway, accounts.get(partition), http);
    }

    /** A request for five domains over ten months: 600 rows. */
    String request(int number) {
        return table.request(Math.floorMod(number * 7, DOMAINS - 5), 5);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        admin.close();
        http.close();
        // Nothing is measured any more, and the folder is deleted.
        for (ChildProcess part : parts.values()) {
            try {
                part.kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
