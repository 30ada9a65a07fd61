package millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.bench.notifier.ReceiverProcess;
import millrace.bench.notifier.WebhookArrivals;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.StandaloneService;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Measures what a small report with a webhook leaves on disks: offsets and bytes of each topic, as they were written
 * and compressed, and the bytes of each folder. Everything in one process, reports of 900 rows at a steady rate, one
 * replica. Of a compacted topic it also says which part of the bytes, before they are compressed, compaction keeps.
 */
public final class TopicSizesBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration INTERVAL = Duration.ofMillis(200);
    /** What grows less is not of reports. */
    private static final double LEAST_BYTES = 1;

    private TopicSizesBench() {}

    /** @param offsets of all partitions; markers of transactions have one, too */
    private record Size(long offsets, long bytes) {
        Size plus(Size more) {
            return new Size(offsets + more.offsets, bytes + more.bytes);
        }

        Size minus(Size before) {
            return new Size(offsets - before.offsets, bytes - before.bytes);
        }
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 10000 --rate 50 --warm-up 1000 --data bench/target/topic-sizes",
                "--reports 500 --warm-up 50");
        int rate = options.number("rate");
        Path data = StandaloneService.folder(options);
        try (ChildProcess receiver = ChildProcess.start(ReceiverProcess.class, List.of("-Xmx256m"), "1")) {
            int port = ReceiverProcess.ports(receiver.await(ReceiverProcess.SAYS, TIMEOUT))
                    .getFirst();
            try (StandaloneService millrace = StandaloneService.start(
                    data,
                    List.of(StandaloneService.jvmOptions()),
                    "--gateway.requests-per-second=1000000",
                    "--gateway.open-reports=1000000")) {
                Map<String, Object> kafka = Map.of(
                        "bootstrap.servers",
                        "127.0.0.1:"
                                + Files.readString(data.resolve("kafka-port")).strip());
                var load = new HttpLoad(number -> millrace.report(
                        millrace.key(),
                        StandaloneService.body(
                                (int) number, 5, ",\"webhook_url\":\"http://127.0.0.1:" + port + "/fine/0\"")));
                long warmUp = ask(load, options.number("warm-up"), rate, receiver, 0);
                Map<String, Long> foldersBefore = folders(data);
                Map<String, Size> before = topics(kafka);
                long reports = ask(load, options.number("reports"), rate, receiver, warmUp);
                Map<String, Size> grown = new TreeMap<>(topics(kafka));
                before.forEach((topic, size) -> grown.computeIfPresent(topic, (name, now) -> now.minus(size)));
                System.out.printf(
                        Locale.ROOT,
                        "%,d reports at %d a second, two webhooks each; for each report:%n",
                        reports,
                        rate);
                print(grown, reports, kept(kafka));
                millrace.process().end(TIMEOUT);
                folders(data).forEach((folder, bytes) -> {
                    long more = bytes - foldersBefore.getOrDefault(folder, 0L);
                    if (more >= LEAST_BYTES * reports) {
                        System.out.printf(Locale.ROOT, "folder %-33s %,18d bytes%n", folder, more / reports);
                    }
                });
            }
        }
    }

    /**
     * Returns when both webhooks of each report have arrived.
     *
     * @param before reports so far
     * @return how many reports were asked for: those of whole seconds
     */
    private static long ask(HttpLoad load, int reports, int rate, ChildProcess receiver, long before)
            throws InterruptedException {
        HttpLoad.Result result = load.open(rate, Duration.ofSeconds(Math.ceilDiv(reports, rate)));
        if (result.refused() > 0) {
            throw new IllegalStateException(result.refused() + " reports were not accepted");
        }
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        for (long arrived = 0; arrived < 2 * (before + result.answered()); arrived = arrived(receiver)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("only " + arrived + " webhooks have arrived");
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
        return result.answered();
    }

    private static long arrived(ChildProcess receiver) throws InterruptedException {
        receiver.say("count");
        return WebhookArrivals.Count.parse(receiver.await("count ", TIMEOUT)).requests();
    }

    @SuppressWarnings("SystemOut")
    private static void print(Map<String, Size> grown, long reports, Map<String, Double> kept) {
        Size all = new Size(0, 0);
        for (Map.Entry<String, Size> topic : grown.entrySet()) {
            Size size = topic.getValue();
            all = all.plus(size);
            if (size.bytes >= LEAST_BYTES * reports) {
                Double part = kept.get(topic.getKey());
                System.out.printf(
                        Locale.ROOT,
                        "%-40s %8.2f offsets %,8d bytes%s%n",
                        topic.getKey(),
                        (double) size.offsets / reports,
                        size.bytes / reports,
                        part == null ? "" : String.format(Locale.ROOT, ", compaction keeps %.0f %%", 100 * part));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%-40s %8.2f offsets %,8d bytes%n",
                "all topics",
                (double) all.offsets / reports,
                all.bytes / reports);
    }

    private static Map<String, Size> topics(Map<String, Object> kafka) throws InterruptedException {
        Map<String, Size> topics = new HashMap<>();
        try (Admin admin = Admin.create(kafka)) {
            Set<Integer> brokers = admin.describeCluster().nodes().get().stream()
                    .map(org.apache.kafka.common.Node::id)
                    .collect(Collectors.toSet());
            Map<TopicPartition, Long> bytes = new HashMap<>();
            for (Map<String, LogDirDescription> disks :
                    admin.describeLogDirs(brokers).allDescriptions().get().values()) {
                disks.values().forEach(disk -> disk.replicaInfos()
                        .forEach((partition, replica) -> bytes.merge(partition, replica.size(), Long::sum)));
            }
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            bytes.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
            admin.listOffsets(ends).all().get().forEach((partition, end) -> {
                var size = new Size(end.offset(), Objects.requireNonNull(bytes.get(partition)));
                topics.merge(partition.topic(), size, Size::plus);
            });
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return topics;
    }

    /** The part of the keys and values of each compacted topic that are the newest of their key. */
    private static Map<String, Double> kept(Map<String, Object> kafka) throws InterruptedException {
        Map<String, Double> kept = new HashMap<>();
        try (Admin admin = Admin.create(kafka)) {
            List<ConfigResource> all = admin.listTopics().names().get().stream()
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList();
            for (var topic : admin.describeConfigs(all).all().get().entrySet()) {
                if (topic.getValue()
                        .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                        .value()
                        .contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                    kept.put(topic.getKey().name(), kept(kafka, topic.getKey().name()));
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return kept;
    }

    private static double kept(Map<String, Object> kafka, String topic) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put("isolation.level", "read_committed");
        Map<String, Long> newest = new HashMap<>();
        long all = 0;
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(INTERVAL)) {
                    long bytes = (long) record.serializedKeySize() + Math.max(0, record.serializedValueSize());
                    all += bytes;
                    // A tombstone goes, too, after delete.retention.ms.
                    newest.put(record.partition() + "/" + record.key(), record.value() == null ? 0 : bytes);
                }
            }
        }
        long kept = newest.values().stream().mapToLong(Long::longValue).sum();
        return all == 0 ? 1 : (double) kept / all;
    }

    /** The bytes of the files in each folder of the data folder, but for those of Kafka, of which many are made ahead. */
    private static Map<String, Long> folders(Path data) throws IOException {
        Map<String, Long> folders = new TreeMap<>();
        try (Stream<Path> children = Files.list(data)) {
            for (Path child : children.filter(Files::isDirectory).toList()) {
                if (!child.endsWith("kafka")) {
                    folders.put(child.getFileName().toString(), bytes(child));
                }
            }
        }
        return folders;
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.mapToLong(
                            file -> file.toFile().isFile() ? file.toFile().length() : 0)
                    .sum();
        }
    }
}
