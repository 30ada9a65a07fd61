package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** Several of each service as processes over one broker, each with a folder of its own, with which it starts again. */
public final class Cluster implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Duration POLL = Duration.ofMillis(100);

    private final BenchKafka kafka;
    private final Map<String, ChildProcess> running = new ConcurrentSkipListMap<>();
    private final Map<String, SingleGateway> gateways = new ConcurrentSkipListMap<>();

    public Cluster(BenchKafka kafka) {
        this.kafka = kafka;
    }

    /** The names of so many, which are also their instance ids. */
    public static List<String> names(Service service, int number) {
        return IntStream.rangeClosed(1, number)
                .mapToObj(i -> service.word() + "-" + i)
                .toList();
    }

    /** Starts them at once; returns the seconds until all are ready. */
    public double start(Service service, List<String> names, List<String> jvmOptions)
            throws IOException, InterruptedException {
        long started = System.nanoTime();
        for (String name : names) {
            Path own = Files.createDirectories(kafka.folder().resolve(name));
            String[] settings = {"--kafka.instance-id=" + name, "--kafka.partitions=" + kafka.partitions()};
            if (service == Service.GATEWAY) {
                SingleGateway gateway = SingleGateway.start(kafka, own, jvmOptions, settings);
                gateways.put(name, gateway);
                running.put(name, gateway.process());
            } else {
                running.put(name, service.launch(kafka, own, jvmOptions, settings));
            }
        }
        for (String name : names) {
            if (service != Service.GATEWAY) {
                Service.awaitReady(process(name));
            }
        }
        return (System.nanoTime() - started) / 1e9;
    }

    public void kill(String name) throws InterruptedException {
        Objects.requireNonNull(running.remove(name)).kill();
    }

    public ChildProcess process(String name) {
        return Objects.requireNonNull(running.get(name));
    }

    /** The processes, by name. */
    public Map<String, ChildProcess> processes() {
        return running;
    }

    /** All gateways; one that was killed refuses connections. */
    public List<SingleGateway> gateways() {
        return List.copyOf(gateways.values());
    }

    /** Waits until each process of the service has so many partitions. */
    public void awaitShares(Service service, int least) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Map<String, Set<Integer>> owned = owned(service);
        while (owned.isEmpty() || owned.values().stream().anyMatch(partitions -> partitions.size() < least)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the partitions are not shared after " + TIMEOUT + ": " + owned);
            }
            LockSupport.parkNanos(POLL.toNanos());
            owned = owned(service);
        }
    }

    /** The partitions of its topic that each process of the service has; empty while the group is being rebalanced. */
    public Map<String, Set<Integer>> owned(Service service) throws InterruptedException {
        boolean commands = service == Service.PROCESSOR;
        String group = commands ? ConsumerGroups.PROCESSOR : ConsumerGroups.NOTIFIERS;
        String topic = (commands ? Topics.ACCOUNT_COMMANDS : Topics.DELIVERIES).name();
        ConsumerGroupDescription described = Objects.requireNonNull(BenchKafka.get(
                        kafka.admin().describeConsumerGroups(List.of(group)).all())
                .get(group));
        Map<String, Set<Integer>> owned = new TreeMap<>();
        if (described.groupState() != GroupState.STABLE) {
            return owned;
        }
        for (String name : running.keySet()) {
            if (name.startsWith(service.word())) {
                owned.put(name, partitions(described, name, topic));
            }
        }
        return owned;
    }

    private static Set<Integer> partitions(ConsumerGroupDescription group, String name, String topic) {
        return group.members().stream()
                .filter(member -> member.groupInstanceId().orElse("").contains(name))
                .flatMap(member -> member.assignment().topicPartitions().stream())
                .filter(partition -> partition.topic().equals(topic))
                .map(TopicPartition::partition)
                .collect(Collectors.toSet());
    }

    /** Kills all: nothing of them is needed any more. */
    @Override
    public void close() {
        try {
            for (ChildProcess process : running.values()) {
                process.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
