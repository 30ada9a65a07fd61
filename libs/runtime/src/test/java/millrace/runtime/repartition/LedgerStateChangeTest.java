package millrace.runtime.repartition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LedgerStateChangeTest {
    private static final int PARTITIONS = 3;
    private final LedgerStateChange change = new LedgerStateChange(PARTITIONS);

    @Test
    void everyPartitionHasTheForm() {
        assertThat(keeps("form/ledger", "2")).isFalse();
        assertThat(keeps("form/ledger", "3")).isFalse();
        assertThat(keeps("accounts/acme", "{}")).isTrue();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(texts(partition)).isEqualTo(Map.of("form/ledger", "3"));
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 3, 3", "4, 5, 4", "5, 5, 5", "3, 4, 4", "0, 5, 4"})
    void theFormIsOneThatFitsAll(int one, int other, String form) {
        if (one > 0) {
            assertThat(change.keeps(
                            record(0, "form/ledger", Integer.toString(one).getBytes(UTF_8))))
                    .isFalse();
        }
        assertThat(change.keeps(record(0, "accounts/acme", "{}".getBytes(UTF_8))))
                .isTrue();
        assertThat(change.keeps(record(1, "form/ledger", Integer.toString(other).getBytes(UTF_8))))
                .isFalse();
        assertThat(texts(2)).isEqualTo(Map.of("form/ledger", form));
    }

    /** Entries of several accounts share a row, and each partition has rows of the same numbers. */
    @Test
    void reportsThatAreOverGoWithTheirAccounts() throws IOException {
        Map<Integer, Set<String>> expected = new TreeMap<>();
        for (int row = 0; row < 60; row++) {
            var bytes = new ByteArrayOutputStream();
            bytes.write(1);
            for (int i = 0; i < 5; i++) {
                String account = "account-" + (row * 7 + i) % 30;
                byte[] entry = i == 0 ? endedKey(account, row) : endedReport(account, i, row);
                bytes.write(entry);
                expected.computeIfAbsent(Topic.partition(account, PARTITIONS), p -> new TreeSet<>())
                        .add(HexFormat.of().formatHex(entry));
            }
            String key = "ended/" + row / 2;
            assertThat(change.keeps(record(row % 2, key, new byte[] {1}))).isFalse();
            assertThat(change.keeps(record(row % 2, key, bytes.toByteArray()))).isFalse();
        }
        assertThat(change.keeps(record(0, "ended/99", endedRow("account-1", 99))))
                .isFalse();
        assertThat(change.keeps(record(0, "ended/99", null))).isFalse();
        assertThat(change.keeps(record(0, "ended-agenda/0000000000000001/7", new byte[] {0})))
                .isFalse();
        assertThat(change.keeps(record(0, "ended-size/ledger", "{}".getBytes(UTF_8))))
                .isFalse();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            holds(partition, expected.getOrDefault(partition, Set.of()));
        }
    }

    private void holds(int partition, Set<String> expected) throws IOException {
        Set<String> found = new TreeSet<>();
        Map<Integer, Long> due = new TreeMap<>();
        Map<Integer, Long> timers = new TreeMap<>();
        int buckets = (expected.size() + 23) / 24;
        for (RecordChange.Addition addition : change.additions(partition)) {
            String[] key = new String(addition.key(), UTF_8).split("/", -1);
            switch (key[0]) {
                case "ended" -> {
                    int row = Integer.parseInt(key[1]);
                    assertThat(row).isBetween(0, buckets - 1);
                    for (EndedRows.Entry entry : EndedRows.entries(addition.value())) {
                        found.add(HexFormat.of().formatHex(entry.bytes()));
                        due.merge(row, entry.due(), Math::min);
                        assertThat(row).isEqualTo(bucket(entry.place(), buckets));
                    }
                }
                case "ended-agenda" -> timers.put(Integer.parseInt(key[2]), Long.parseLong(key[1]) / 1000);
                default ->
                    assertThat(Json.MAPPER.readTree(addition.value()))
                            .isEqualTo(Json.MAPPER.readTree("{\"buckets\":" + buckets + "}"));
            }
        }
        assertThat(found).isEqualTo(expected).isNotEmpty();
        assertThat(timers).isEqualTo(due);
    }

    /** Of a linear hash table: the bits of the place that number a bucket, one fewer where that is not there yet. */
    private static int bucket(long place, int buckets) {
        int bits = 31 - Integer.numberOfLeadingZeros(buckets);
        long bucket = place & ((1L << (bits + 1)) - 1);
        return (int) (bucket < buckets ? bucket : place & ((1L << bits) - 1));
    }

    private static byte[] endedRow(String account, int number) throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.write(1);
        bytes.write(endedKey(account, number));
        return bytes.toByteArray();
    }

    private static byte[] endedKey(String account, int number) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(1);
            out.writeLong(number * 0x9E3779B97F4A7C15L);
            out.writeInt(Utils.murmur2(account.getBytes(UTF_8)));
            time(out, 1_800_000_000 + number);
        }
        return bytes.toByteArray();
    }

    /** With a file of the usual name, one of another name, or none, and with lists. */
    private static byte[] endedReport(String account, int kind, int number) throws IOException {
        var id = UUID.nameUUIDFromBytes((account + number + kind).getBytes(UTF_8));
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(List.of(0, 2 | 4, 2, 2 | 4 | 8 | 16).get(kind - 1));
            out.writeLong(id.getMostSignificantBits());
            out.writeLong(id.getLeastSignificantBits());
            out.writeUTF(account);
            out.writeByte(3);
            time(out, 1_900_000_000 + number);
            if (kind == 3) {
                out.writeUTF("a name of another build");
            } else if (kind != 1) {
                out.write(new byte[18]);
            }
            if (kind != 1) {
                time(out, 1_700_000_000 + number);
            }
            if (kind == 4) {
                out.writeByte(2);
                out.writeUTF("one list");
                out.writeUTF("another list");
            }
        }
        return bytes.toByteArray();
    }

    private static void time(DataOutputStream out, long seconds) throws IOException {
        out.writeByte((int) (seconds >>> 32));
        out.writeInt((int) seconds);
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
        return change.keeps(record(0, key, value == null ? null : value.getBytes(UTF_8)));
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, String key, byte @Nullable [] value) {
        return new ConsumerRecord<>(Topics.LEDGER_CHANGELOG, partition, 0, key.getBytes(UTF_8), value);
    }
}
