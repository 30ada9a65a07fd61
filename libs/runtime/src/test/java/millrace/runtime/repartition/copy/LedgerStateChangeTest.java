package millrace.runtime.repartition.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerStateChangeTest {
    private static final int PARTITIONS = 3;
    private final LedgerStateChange change = new LedgerStateChange(PARTITIONS);

    @Test
    void everyPartitionHasTheForm() {
        assertThat(keeps("form/ledger", "2")).isFalse();
        assertThat(keeps("form/ledger", "3")).isFalse();
        assertThat(keeps("form/ledger", "2")).isFalse();
        assertThat(keeps("accounts/acme", "{}")).isTrue();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(texts(partition)).isEqualTo(Map.of("form/ledger", "3"));
        }
    }

    @Test
    void stateOfTheFirstReleaseHasNone() {
        assertThat(keeps("accounts/acme", "{}")).isTrue();
        assertThat(change.additions(0)).isEmpty();
    }

    @Test
    void versionsAreCountedForTheOpenReportsOfEachPartition() {
        List<String> accounts = accountsOfEachPartition();
        assertThat(keeps("data-versions/keywords/v1", "9")).isFalse();
        for (String account : accounts) {
            assertThat(keeps("reports/" + account + "/1", open("v1"))).isTrue();
            assertThat(keeps("reports/" + account + "/2", open("v1"))).isTrue();
        }
        assertThat(keeps("reports/" + accounts.get(0) + "/1", "{\"status\":{\"dataset\":\"keywords\"}}"))
                .isTrue();
        assertThat(keeps("reports/" + accounts.get(1) + "/1", null)).isTrue();
        assertThat(keeps("reports/" + accounts.get(2) + "/1", open("v2"))).isTrue();
        assertThat(IntStream.range(0, PARTITIONS).mapToObj(this::texts))
                .containsExactly(
                        Map.of("data-versions/keywords/v1", "1"),
                        Map.of("data-versions/keywords/v1", "1"),
                        Map.of("data-versions/keywords/v1", "1", "data-versions/keywords/v2", "1"));
    }

    private static List<String> accountsOfEachPartition() {
        Map<Integer, String> accounts = new TreeMap<>();
        for (int i = 0; accounts.size() < PARTITIONS; i++) {
            accounts.putIfAbsent(Topic.partition("account-" + i, PARTITIONS), "account-" + i);
        }
        return List.copyOf(accounts.values());
    }

    private static String open(String version) {
        return "{\"status\":{\"dataset\":\"keywords\"},\"work\":{\"data_version\":\"" + version + "\"}}";
    }

    private Map<String, String> texts(int partition) {
        Map<String, String> texts = new TreeMap<>();
        change.additions(partition).forEach(a -> texts.put(new String(a.key(), UTF_8), new String(a.value(), UTF_8)));
        return texts;
    }

    private boolean keeps(String key, @Nullable String value) {
        return change.keeps(new ConsumerRecord<>(
                Topics.LEDGER_CHANGELOG, 0, 0, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8)));
    }
}
