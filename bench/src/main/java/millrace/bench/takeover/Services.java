package millrace.bench.takeover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.ManagementPort;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.SingleProcessor;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.notifier.bootstrap.NotifierMain;
import millrace.runtime.accounts.AccountsFile;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Two of each service as processes. They have the same accounts, data, report files and secrets, and each a folder of
 * its own, with which it starts again.
 */
final class Services implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Duration INTERVAL = Duration.ofMillis(100);
    /**
     * As in the cluster of processes of decision 0027: the serial collector, as in a small container, and only the
     * first compiler, since eight JVMs with the second one would take two cores for minutes.
     */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Path shared;
    private final String kafka;
    private final AccountsFile accounts;
    private final String gatewayHeap;
    private final String processorHeap;
    private final Admin admin;
    private final Map<String, ChildProcess> running = new ConcurrentHashMap<>();
    private final Map<String, SingleGateway> gateways = new ConcurrentHashMap<>();

    /** A kind of service. */
    enum Role {
        GATEWAY,
        PROCESSOR,
        NOTIFIER;

        /** The names of both, which are also their instance ids. */
        List<String> names() {
            return List.of(word() + "-1", word() + "-2");
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param shared folder with the data; the state of a processor is below {@link #own}
     * @param gatewayHeap for example {@code 512m}
     */
    Services(Path shared, String kafka, AccountsFile accounts, String gatewayHeap, String processorHeap) {
        this.shared = shared;
        this.kafka = kafka;
        this.accounts = accounts;
        this.gatewayHeap = gatewayHeap;
        this.processorHeap = processorHeap;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka));
    }

    /** The folder of this process alone. */
    static Path own(Path shared, String name) {
        return shared.resolve(name);
    }

    /** Starts both; returns the seconds until each was ready. */
    List<Double> start(Role role) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (String name : role.names()) {
            seconds.add(start(role, name));
        }
        return seconds;
    }

    /** Starts one; returns the seconds until it was ready. */
    double start(Role role, String name) throws IOException, InterruptedException {
        long started = System.nanoTime();
        Path own = Files.createDirectories(own(shared, name));
        String instance = "--kafka.instance-id=" + name;
        switch (role) {
            case GATEWAY -> {
                SingleGateway gateway = SingleGateway.start(shared, own, kafka, jvm(gatewayHeap), accounts, instance);
                running.put(name, gateway.process());
                gateways.put(name, gateway);
            }
            case PROCESSOR ->
                awaitReady(
                        name,
                        SingleProcessor.launch(
                                shared,
                                own,
                                kafka,
                                gateways().getFirst(),
                                jvm(processorHeap),
                                instance,
                                "--processor.standbys=1",
                                ManagementPort.ANY));
            case NOTIFIER ->
                awaitReady(
                        name,
                        ChildProcess.start(
                                NotifierMain.class,
                                jvm("256m"),
                                "--notifier.accounts=" + shared.resolve("accounts.yaml"),
                                "--notifier.allowed-addresses=127.0.0.0/8",
                                "--kafka.bootstrap.servers=" + kafka,
                                instance,
                                ManagementPort.ANY));
        }
        return (System.nanoTime() - started) / 1e9;
    }

    void kill(String name) throws InterruptedException {
        Objects.requireNonNull(running.remove(name)).kill();
    }

    /** The addresses of both gateways; that of a killed one refuses connections. */
    List<String> gateways() {
        return Role.GATEWAY.names().stream()
                .flatMap(name -> Stream.ofNullable(gateways.get(name)))
                .map(SingleGateway::address)
                .toList();
    }

    /** Waits until both gateways have read what happened to the accounts, which they are ready without. */
    void awaitActivity(LoadAccount account) throws InterruptedException {
        for (SingleGateway gateway : gateways.values()) {
            gateway.awaitActivity(account.key());
        }
    }

    /** Waits until each of the two has its share of the partitions. */
    void awaitShared(Role role, int partitions) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Map<String, Set<Integer>> owned = owned(role);
        while (!isShared(role, owned, partitions)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the partitions are not shared after " + TIMEOUT + ": " + owned);
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
            owned = owned(role);
        }
    }

    private static boolean isShared(Role role, Map<String, Set<Integer>> owned, int partitions) {
        return role.names().stream()
                .allMatch(name -> owned.getOrDefault(name, Set.of()).size() == partitions / 2);
    }

    /** The partitions of the role's topic that each process has. */
    Map<String, Set<Integer>> owned(Role role) throws InterruptedException {
        Map<String, Set<Integer>> owned = new HashMap<>();
        String topic = role == Role.PROCESSOR ? Topics.ACCOUNT_COMMANDS.name() : Topics.DELIVERIES.name();
        for (MemberDescription member : members(role)) {
            String instance = member.groupInstanceId().orElse("");
            for (String name : role.names()) {
                if (instance.contains(name)) {
                    Set<Integer> partitions = owned.computeIfAbsent(name, n -> new HashSet<>());
                    member.assignment().topicPartitions().stream()
                            .filter(partition -> partition.topic().equals(topic))
                            .map(TopicPartition::partition)
                            .forEach(partitions::add);
                }
            }
        }
        return owned;
    }

    private Collection<MemberDescription> members(Role role) throws InterruptedException {
        String group = role == Role.PROCESSOR ? ConsumerGroups.PROCESSOR : ConsumerGroups.NOTIFIERS;
        try {
            return Objects.requireNonNull(admin.describeConsumerGroups(List.of(group))
                            .all()
                            .get()
                            .get(group))
                    .members();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not describe the group " + group, e.getCause());
        }
    }

    private void awaitReady(String name, ChildProcess process) throws InterruptedException {
        running.put(name, process);
        ManagementPort.awaitReady(process, TIMEOUT);
    }

    private static List<String> jvm(String heap) {
        return Stream.concat(Stream.of("-Xmx" + heap), JVM.stream()).toList();
    }

    /** Kills all: nothing of them is needed any more. */
    @Override
    public void close() {
        admin.close();
        try {
            for (ChildProcess process : running.values()) {
                process.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
