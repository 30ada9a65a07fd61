package millrace.processor.ledger.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.topics.Topic;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.decide.Lane;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.decide.OpenAttempt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepartitionedStateTest {
    private static final int PARTITIONS = 3;
    private final RepartitionedState state = new RepartitionedState(PARTITIONS);

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
    @CsvSource({"2, 3, 3", "4, 5, 4", "5, 5, 5", "3, 4, 4", "0, 5, 4", "5, 6, 6", "6, 6, 6"})
    void theFormIsOneThatFitsAll(int one, int other, String form) {
        if (one > 0) {
            assertThat(state.keeps(0, "form/ledger", Json.bytes(one))).isFalse();
        }
        assertThat(state.keeps(0, "accounts/acme", "{}".getBytes(UTF_8))).isTrue();
        assertThat(state.keeps(1, "form/ledger", Json.bytes(other))).isFalse();
        assertThat(texts(2)).isEqualTo(Map.of("form/ledger", form));
    }

    @ParameterizedTest
    @CsvSource({"4, 6", "0, 6"})
    void aMigrationThatIsNotDoneGoesOn(int one, int other) {
        if (one > 0) {
            assertThat(state.keeps(0, "form/ledger", Json.bytes(one))).isFalse();
        }
        assertThat(state.keeps(0, "accounts/acme", "{}".getBytes(UTF_8))).isTrue();
        assertThat(state.keeps(1, "form/ledger", Json.bytes(other))).isFalse();
        assertThat(texts(2)).isEqualTo(Map.of("form/ledger", "6", "form/unmigrated", "0"));
    }

    @Test
    void aPartitionThatSaysSoIsToBeMigrated() {
        assertThat(keeps("form/ledger", "6")).isFalse();
        assertThat(keeps("form/unmigrated", "4")).isFalse();
        assertThat(texts(1)).isEqualTo(Map.of("form/ledger", "6", "form/unmigrated", "0"));
        assertThat(keeps("form/unmigrated", null)).isFalse();
        assertThat(texts(1)).isEqualTo(Map.of("form/ledger", "6"));
    }

    /** Entries of several accounts share a row, and each partition has rows of the same numbers. */
    @Test
    void reportsThatAreOverGoWithTheirAccounts() throws IOException {
        Map<Integer, Set<EndedEntry>> expected = new TreeMap<>();
        for (int row = 0; row < 60; row++) {
            List<EndedEntry> entries = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String account = "account-" + (row * 7 + i) % 30;
                EndedEntry entry = i == 0
                        ? EndedEntry.OfKey.of(account, "key" + row, Instant.ofEpochSecond(1_800_000_000 + row))
                        : EndedEntry.OfReport.of(account, ended(i, row));
                entries.add(entry);
                expected.computeIfAbsent(Topic.partition(account, PARTITIONS), p -> new HashSet<>())
                        .add(entry);
            }
            String key = "ended/" + row / 2;
            assertThat(state.keeps(row % 2, key, new byte[] {1})).isFalse();
            assertThat(state.keeps(row % 2, key, EndedRow.encode(entries))).isFalse();
        }
        var gone = EndedEntry.OfKey.of("account-1", "gone", Instant.ofEpochSecond(1_800_000_000));
        assertThat(state.keeps(0, "ended/99", EndedRow.encode(List.of(gone)))).isFalse();
        assertThat(state.keeps(0, "ended/99", null)).isFalse();
        assertThat(state.keeps(0, "ended-agenda/0000000000000001/7", new byte[] {0}))
                .isFalse();
        assertThat(keeps("ended-size/ledger", "{}")).isFalse();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            holds(partition, expected.getOrDefault(partition, Set.of()));
        }
    }

    private void holds(int partition, Set<EndedEntry> expected) throws IOException {
        Set<EndedEntry> found = new HashSet<>();
        Map<Integer, Long> due = new TreeMap<>();
        Map<Integer, Long> timers = new TreeMap<>();
        int buckets = (expected.size() + 23) / 24;
        for (Map.Entry<String, byte[]> own : state.of(partition).entrySet()) {
            String[] key = own.getKey().split("/", -1);
            switch (key[0]) {
                case "ended" -> {
                    int row = Integer.parseInt(key[1]);
                    assertThat(row).isBetween(0, buckets - 1);
                    for (EndedEntry entry : EndedRow.decode(own.getValue())) {
                        found.add(entry);
                        due.merge(row, entry.due().getEpochSecond(), Math::min);
                        assertThat(row).isEqualTo(bucket(entry.place(), buckets));
                    }
                }
                case "ended-agenda" -> timers.put(Integer.parseInt(key[2]), Long.parseLong(key[1]) / 1000);
                default ->
                    assertThat(Json.MAPPER.readTree(own.getValue()))
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

    /** With a file of the usual name, one of another name, or none, and with lists. */
    private static EndedReport ended(int kind, int number) {
        var id = new UUID(kind, number * 0x9E3779B97F4A7C15L);
        Instant knownUntil = Instant.ofEpochSecond(1_900_000_000 + number);
        String file =
                switch (kind) {
                    case 1 -> null;
                    case 3 -> "a name of another build";
                    case 5 -> id + "/3/";
                    default -> id + "/3/report-" + new UUID(7, number) + ".csv.gz";
                };
        Instant fileDue = file == null ? null : Instant.ofEpochSecond(1_700_000_000 + number);
        List<String> lists = kind == 4 ? List.of("one list", "another list") : List.of();
        return new EndedReport(id, 3, file, fileDue, knownUntil, kind == 4, lists);
    }

    @Test
    void theRowsDoNotDependOnTheOrderInWhichTheyWereRead() {
        var other = new RepartitionedState(PARTITIONS);
        for (int i = 0; i < 300; i++) {
            byte[] row = EndedRow.encode(List.of(EndedEntry.OfReport.of("acme", ended(1, i))));
            state.keeps(i % 2, "ended/" + i, row);
            other.keeps(2, "ended/" + (300 - i), row);
        }
        int partition = Topic.partition("acme", PARTITIONS);
        assertThat(texts(partition)).isEqualTo(texts(other, partition)).hasSizeGreaterThan(20);
    }

    @Test
    void stateOfTheFirstReleaseHasNone() {
        assertThat(keeps("accounts/acme", "{}")).isTrue();
        assertThat(state.of(0)).isEmpty();
    }

    @Test
    void versionsAreCountedForTheOpenReportsOfEachPartition() {
        List<String> accounts = accountsOfEachPartition();
        assertThat(keeps("data-versions/demographics/v1", "9")).isFalse();
        for (String account : accounts) {
            assertThat(keeps("reports/" + account + "/1", report("v1"))).isTrue();
            assertThat(keeps("reports/" + account + "/2", report("v1"))).isTrue();
        }
        assertThat(keeps("reports/" + accounts.get(0) + "/1", report(null))).isTrue();
        assertThat(keeps("reports/" + accounts.get(1) + "/1", null)).isTrue();
        assertThat(keeps("reports/" + accounts.get(2) + "/1", report("v2"))).isTrue();
        assertThat(IntStream.range(0, PARTITIONS).mapToObj(this::texts))
                .containsExactly(
                        Map.of("data-versions/demographics/v1", "1"),
                        Map.of("data-versions/demographics/v1", "1"),
                        Map.of("data-versions/demographics/v1", "1", "data-versions/demographics/v2", "1"));
    }

    private static List<String> accountsOfEachPartition() {
        Map<Integer, String> accounts = new TreeMap<>();
        for (int i = 0; accounts.size() < PARTITIONS; i++) {
            accounts.putIfAbsent(Topic.partition("account-" + i, PARTITIONS), "account-" + i);
        }
        return List.copyOf(accounts.values());
    }

    /** @param version that it reads while it is open; null if it is not */
    private static String report(@Nullable String version) {
        var request = LedgerSamples.request(LedgerSamples.id("report"), 10, 10, 1, null);
        OpenAttempt work = version == null
                ? null
                : new OpenAttempt(version, Lane.SMALL, 1, 0, 0, ResultCounts.NONE, null, false, Map.of(), null, null);
        return Json.text(new LedgerReport(
                request.undecidedStatus("acme"), request.quote(), null, LedgerSamples.TRACE, work, null, null, null));
    }

    private Map<String, String> texts(int partition) {
        return texts(state, partition);
    }

    private static Map<String, String> texts(RepartitionedState state, int partition) {
        Map<String, String> texts = new TreeMap<>();
        state.of(partition).forEach((key, value) -> texts.put(key, new String(value, UTF_8)));
        return texts;
    }

    private boolean keeps(String key, @Nullable String value) {
        return state.keeps(0, key, value == null ? null : value.getBytes(UTF_8));
    }
}
