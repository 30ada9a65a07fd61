package millrace.broker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import millrace.control.ControlFile;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports partitions that end earlier than before. Kafka itself does not: after a stop it takes the
 * files as they are, and after a kill it cuts each at the first invalid byte. The offsets that it
 * had acknowledged are in its checkpoint of high watermarks, which it writes every 5 s and when it
 * stops.
 */
final class LostRecordsCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LostRecordsCheck.class);
    private static final String METADATA = "__cluster_metadata-0";
    private static final String END = "LogEndOffset";
    private static final String SEGMENT = ".log";

    /** Kafka's checkpoint does not contain the metadata partition. */
    private final Path metadataEnd;

    private final Path log;
    private final Map<String, Long> ends;
    private final Map<String, Segment> last;

    /** A log segment's file. */
    private record Segment(Path file, long size) {
        static Segment of(Path file) {
            return new Segment(file, file.toFile().length());
        }
    }

    private LostRecordsCheck(Path metadataEnd, Path log, Map<String, Long> ends, Map<String, Segment> last) {
        this.metadataEnd = metadataEnd;
        this.log = log;
        this.ends = ends;
        this.last = last;
    }

    /** Reads what the last run has left. Must be called before Kafka starts. */
    static LostRecordsCheck beforeStart(Path folder, Path log) throws IOException {
        Path metadataEnd = folder.resolve("metadata-end");
        Map<String, Long> ends = acknowledged(log.resolve("replication-offset-checkpoint"));
        Map<String, Segment> last = lastSegments(log);
        if (Files.exists(metadataEnd)) {
            String end = ControlFile.read(metadataEnd);
            if (isOffset(end)) {
                reportLost(METADATA, Long.parseLong(end), metadataEnd(last), log);
            } else {
                LOG.error(
                        "{} has no offset, as after a power cut, and is ignored: whether metadata records were lost is"
                                + " not known. Compare the topics with what you expect",
                        metadataEnd);
            }
            // After a kill it would be the offset of an earlier stop.
            Files.delete(metadataEnd);
        }
        return new LostRecordsCheck(metadataEnd, log, ends, last);
    }

    /** Logs lost records. Must be called once Kafka has loaded its files. */
    void report() {
        Map<String, Long> now = endsNow();
        var partitions = new TreeSet<>(ends.keySet());
        partitions.addAll(last.keySet());
        for (String partition : partitions) {
            long known = ends.getOrDefault(partition, 0L);
            // A deleted topic has none.
            long end = now.getOrDefault(partition, known);
            long cut = cut(partition);
            if (end < known) {
                reportLost(partition, known, end, log);
            } else if (cut > 0) {
                LOG.info("incomplete records cut off after a kill partition={} bytes={}", partition, cut);
            }
        }
    }

    private static void reportLost(String partition, long known, long end, Path log) {
        if (end < known) {
            LOG.error(
                    "acknowledged records lost, files damaged or not on disk when the machine stopped partition={}"
                            + " records={} fromOffset={} logDir={}",
                    partition,
                    known - end,
                    end,
                    log);
        }
    }

    private long cut(String partition) {
        Segment before = last.get(partition);
        return before == null ? 0 : before.size() - Segment.of(before.file()).size();
    }

    /** Writes where the metadata end, for the next start. Must be called once Kafka has stopped. */
    void writeMetadataEnd() throws IOException {
        ControlFile.write(metadataEnd, metadataEnd(lastSegments(log)) + "\n");
    }

    /** The offset after the last batch on the disk. Kafka's metrics are gone by the time that the process ends. */
    private static long metadataEnd(Map<String, Segment> last) throws IOException {
        Segment segment = last.get(METADATA);
        if (segment == null) {
            return 0;
        }
        String name = segment.file().getFileName().toString();
        long end = Long.parseLong(name.substring(0, name.length() - SEGMENT.length()));
        try (FileRecords records = FileRecords.open(segment.file().toFile(), false)) {
            for (RecordBatch batch : records.batches()) {
                end = batch.nextOffset();
            }
        } catch (KafkaException e) {
            LOG.debug("segment of the metadata is damaged file={}", segment.file(), e);
        }
        return end;
    }

    private static boolean isOffset(String text) {
        return text.matches("\\d{1,18}");
    }

    /** Reads the checkpoint, which has a line for each partition: topic, partition, offset. */
    private static Map<String, Long> acknowledged(Path checkpoint) throws IOException {
        Map<String, Long> ends = new HashMap<>();
        if (Files.exists(checkpoint)) {
            for (String line : lines(checkpoint)) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && isOffset(words[2])) {
                    ends.put(words[0] + "-" + words[1], Long.parseLong(words[2]));
                }
            }
        }
        return ends;
    }

    private static List<String> lines(Path checkpoint) throws IOException {
        try {
            return Files.readAllLines(checkpoint);
        } catch (CharacterCodingException e) {
            throw new IOException(
                    checkpoint + " is damaged: its bytes are not text. Keep a copy and delete it: Kafka writes it anew,"
                            + " and whether records were lost is not known",
                    e);
        }
    }

    /**
     * Removes the metrics of Kafka's logs, which it does not do when it stops. A log that this
     * process opens later would not get metrics of its own.
     */
    static void forgetMetrics() {
        var group = new KafkaMetricsGroup("kafka.log", "Log");
        for (ObjectName name : metrics()) {
            Map<String, String> tags = new LinkedHashMap<>(); // in the order that Kafka uses
            tags.put("topic", name.getKeyProperty("topic"));
            tags.put("partition", name.getKeyProperty("partition"));
            group.removeMetric(END, tags);
        }
    }

    private static Map<String, Long> endsNow() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Map<String, Long> ends = new HashMap<>();
        for (ObjectName name : metrics()) {
            try {
                ends.put(
                        name.getKeyProperty("topic") + "-" + name.getKeyProperty("partition"),
                        ((Number) beans.getAttribute(name, "Value")).longValue());
            } catch (InstanceNotFoundException e) {
                LOG.debug("partition was deleted since the metrics were listed metric={}", name);
            } catch (JMException e) {
                throw new IllegalStateException("the metrics of Kafka's log cannot be read", e);
            }
        }
        return ends;
    }

    private static Set<ObjectName> metrics() {
        try {
            return ManagementFactory.getPlatformMBeanServer()
                    .queryNames(new ObjectName("kafka.log:type=Log,name=" + END + ",*"), null);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The segments that are written to; compaction shrinks earlier ones. */
    private static Map<String, Segment> lastSegments(Path log) throws IOException {
        Map<String, Segment> last = new HashMap<>();
        for (Path partition : children(log)) {
            if (Files.isDirectory(partition)) {
                // Their names are offsets with leading zeros.
                children(partition).stream()
                        .filter(file -> file.toString().endsWith(SEGMENT))
                        .max(Comparator.naturalOrder())
                        .ifPresent(file -> last.put(partition.getFileName().toString(), Segment.of(file)));
            }
        }
        return last;
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList();
        }
    }
}
