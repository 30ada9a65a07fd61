package millrace.processor.ledger.streams;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.testing.GeneratedPage;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/kafka.md} lists the settings of all topics. */
class TopicsReferenceTest {
    @Test
    void listsEveryTopic() throws IOException {
        var table = new StringBuilder("| topic | keeps | segments | tombstones stay |\n|---|---|---|---|\n");
        for (Topic<?> topic : Topics.ALL) {
            table.append(row(topic.name(), topic.config()));
        }
        table.append(row(LostStateCheck.TOPIC, LedgerStreams.CHANGELOG));
        GeneratedPage.check(
                "kafka.md",
                table.toString(),
                "-pl processor -am test -Dtest=TopicsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false");
    }

    private static String row(String topic, Map<String, String> config) {
        return "| `%s` | %s | %s | %s |\n"
                .formatted(topic, keeps(config), segments(config), time(config, "delete.retention.ms"));
    }

    private static String keeps(Map<String, String> config) {
        return config.containsKey("retention.ms") ? time(config, "retention.ms") : "the newest of each key";
    }

    private static String segments(Map<String, String> config) {
        String bytes = config.get("segment.bytes");
        String size = bytes == null ? "" : Integer.parseInt(bytes) / (1 << 20) + " MiB, ";
        return size + time(config, "segment.ms");
    }

    private static String time(Map<String, String> config, String name) {
        String millis = config.get(name);
        if (millis == null) {
            return "";
        }
        var time = Duration.ofMillis(Long.parseLong(millis));
        return time.toDays() > 0 ? time.toDays() + " d" : time.toHours() + " h";
    }
}
