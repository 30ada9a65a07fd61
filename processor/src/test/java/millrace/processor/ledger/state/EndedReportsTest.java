package millrace.processor.ledger.state;

import static millrace.processor.ledger.decide.LedgerSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import millrace.contracts.requests.FileFormat;
import millrace.processor.ledger.decide.EndedReport;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndedReportsTest {
    private static final int MANY = Integer.MAX_VALUE;

    private final KeyValueStore<String, byte[]> store = MemoryStore.open();
    private EndedReports ended = new EndedReports(store);

    private static EndedReport report(UUID id, @Nullable String file, List<String> lists) {
        Instant fileDue = file == null ? null : NOON.plus(Duration.ofDays(30));
        return new EndedReport(id, 2, file, fileDue, NOON.plus(Duration.ofDays(400)), !lists.isEmpty(), lists);
    }

    private static UUID id(Random random) {
        return new UUID(random.nextLong(), random.nextLong());
    }

    @Test
    void whatIsKeptOfAReportIsReadAgain() {
        var random = new Random(1);
        List<EndedReport> reports = new ArrayList<>();
        for (FileFormat.Form form : FileFormat.Form.values()) {
            for (FileFormat.Compression compression : FileFormat.Compression.values()) {
                UUID id = id(random);
                String run = id(random) + "." + new FileFormat(form, compression).extension();
                reports.add(report(id, id + "/2/0-" + run, List.of()));
            }
        }
        UUID large = id(random);
        reports.add(report(large, large + "/2/report-" + id(random) + ".csv", List.of("age_group", "gender")));
        reports.add(report(id(random), null, List.of()));
        UUID inParts = id(random);
        reports.add(report(inParts, inParts + "/2/", List.of("age_group")));
        // Not as workers name them.
        reports.add(report(id(random), "file", List.of()));
        reports.add(report(id(random), large + "/2/0-" + id(random) + ".csv", List.of()));
        reports.add(report(large, large + "/1/0-" + id(random) + ".csv", List.of()));
        for (EndedReport report : reports) {
            ended.put("acme", report);
            assertThat(new EndedReports(store).get("acme", report.id())).isEqualTo(report);
            assertThat(ended.get("zenith", report.id())).isNull();
        }
    }

    /** What a restore of ten million of them reads follows from this. */
    @Test
    void anEntryIsSmall() {
        var random = new Random(1);
        UUID id = id(random);
        EndedReport complete = report(id, id + "/2/0-" + id(random) + ".csv", List.of());
        assertThat(bytes(EndedEntry.OfReport.of("a-customer", complete))).isEqualTo(58);
        assertThat(bytes(EndedEntry.OfReport.of("a-customer", complete.withoutFile())))
                .isEqualTo(35);
        assertThat(bytes(EndedEntry.OfKey.of("a-customer", "hash", NOON))).isEqualTo(18);
    }

    /** Without the first byte of the row. */
    private static int bytes(EndedEntry entry) {
        return Objects.requireNonNull(EndedRow.encode(List.of(entry))).length - 1;
    }

    /** Rows are stored: these bytes are what the form with the number 1 is. */
    @Test
    void aRowHasTheseBytes() {
        UUID id = UUID.fromString("0192f0c1-7d3a-7c55-9d1e-5b1f0a2c3d4e");
        String file = id + "/2/report-0192f0c2-0000-7000-8000-000000000001.csv.gz";
        List<EndedEntry> entries = List.of(
                EndedEntry.OfKey.of("acme", "a0b1", NOON),
                EndedEntry.OfReport.of("acme", report(id, null, List.of())),
                EndedEntry.OfReport.of("acme", report(id, "file", List.of())),
                EndedEntry.OfReport.of("acme", report(id, file, List.of("age_group", "gender"))));
        String row = "01"
                + "01" + "398857cd00e18522" + "b39b9904" + "006ae87b40"
                + "00" + "0192f0c17d3a7c559d1e5b1f0a2c3d4e" + "000461636d65" + "02" + "006cf7d340"
                + "02" + "0192f0c17d3a7c559d1e5b1f0a2c3d4e" + "000461636d65" + "02" + "006cf7d340"
                + "000466696c65" + "006b100840"
                + "1e" + "0192f0c17d3a7c559d1e5b1f0a2c3d4e" + "000461636d65" + "02" + "006cf7d340"
                + "01" + "0192f0c2000070008000000000000001" + "01" + "006b100840"
                + "02" + "00096167655f67726f7570" + "000667656e646572";
        assertThat(HexFormat.of().formatHex(Objects.requireNonNull(EndedRow.encode(entries))))
                .isEqualTo(row);
        assertThat(EndedRow.decode(HexFormat.of().parseHex(row))).isEqualTo(entries);
    }

    /** An earlier build would delete a file of this name, and leave all of them. */
    @Test
    void aRowWithAReportInPartsHasAFormOfItsOwn() {
        UUID id = UUID.fromString("0192f0c1-7d3a-7c55-9d1e-5b1f0a2c3d4e");
        List<EndedEntry> entries = List.of(EndedEntry.OfReport.of("acme", report(id, id + "/2/", List.of())));
        String row =
                "02" + "22" + "0192f0c17d3a7c559d1e5b1f0a2c3d4e" + "000461636d65" + "02" + "006cf7d340" + "006b100840";
        assertThat(HexFormat.of().formatHex(Objects.requireNonNull(EndedRow.encode(entries))))
                .isEqualTo(row);
        assertThat(EndedRow.decode(HexFormat.of().parseHex(row))).isEqualTo(entries);
    }

    @Test
    void aRowOfAnotherFormIsNotTakenForOne() {
        assertThatThrownBy(() -> EndedRow.decode(new byte[] {9, 1})).isInstanceOf(StreamsException.class);
        assertThatThrownBy(() -> EndedRow.decode(new byte[] {1, 1, 2})).isInstanceOf(StreamsException.class);
    }

    /** The table agrees with a map after each change, while it grows and shrinks, and across restarts. */
    @Test
    void theTableSaysWhatAMapWouldSay() {
        var random = new Random(7);
        Map<UUID, EndedReport> known = new HashMap<>();
        Map<String, Instant> claims = new HashMap<>();
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            // Some ids differ in few bits.
            UUID id = i % 3 == 0 ? new UUID(0, i) : id(random);
            ids.add(id);
            EndedReport report = report(id, id + "/2/0-" + id(random) + ".csv", List.of());
            ended.put("acme", report);
            known.put(id, report);
            if (i % 2 == 0) {
                Instant until = NOON.plusSeconds(random.nextInt(1_000));
                ended.claim("acme", "key" + i, until);
                claims.put("key" + i, until);
            }
            if (i % 5 == 0) {
                UUID gone = ids.get(random.nextInt(ids.size()));
                ended.remove("acme", gone);
                known.remove(gone);
            }
            if (i % 7 == 0) {
                UUID changed = ids.get(random.nextInt(ids.size()));
                known.computeIfPresent(changed, (same, r) -> {
                    ended.put("acme", r.withoutFile());
                    return r.withoutFile();
                });
            }
            if (i % 500 == 499) {
                ended = new EndedReports(store);
                ids.forEach(one -> assertThat(ended.get("acme", one)).isEqualTo(known.get(one)));
                Instant now = NOON.plusSeconds(500);
                claims.forEach((key, until) ->
                        assertThat(ended.isClaimed("acme", key, now)).isEqualTo(until.isAfter(now)));
                assertThat(ended.isClaimed("zenith", "key0", NOON.minusSeconds(1)))
                        .isFalse();
            }
        }
        long rows = rows(LedgerStores.ENDED);
        assertThat(4_300 / rows).as("entries of a row").isBetween(EndedReports.FULL / 2L, EndedReports.FULL * 3L / 4);
        assertThat(rows(LedgerStores.ENDED_AGENDA)).as("a timer for each row").isEqualTo(rows);
    }

    @Test
    void whatIsDueIsFoundAndKeysGoByThemselves() {
        var random = new Random(3);
        for (int i = 0; i < 500; i++) {
            UUID id = id(random);
            ended.put(
                    "acme",
                    new EndedReport(id, 1, null, null, NOON.plus(Duration.ofDays(1 + i % 10)), false, List.of()));
            ended.claim("acme", "key" + i, NOON.plus(Duration.ofDays(1 + i % 10)));
        }
        assertThat(ended.due(NOON.plus(Duration.ofDays(1)).minusSeconds(1), MANY))
                .isEmpty();
        int found = 0;
        for (int day = 1; day <= 10; day++) {
            Instant now = NOON.plus(Duration.ofDays(day));
            assertThat(ended.due(now, 20)).hasSizeBetween(1, 20);
            List<LedgerTimers.Item> due = ended.due(now, MANY);
            assertThat(due).hasSize(50);
            assertThat(ended.due(now, MANY)).as("until they are changed").hasSize(50);
            due.forEach(item -> ended.remove(item.accountId(), Objects.requireNonNull(item.reportId())));
            found += due.size();
            assertThat(ended.due(now, MANY)).isEmpty();
        }
        assertThat(found).isEqualTo(500);
        assertThat(rows(LedgerStores.ENDED)).isZero();
        assertThat(rows(LedgerStores.ENDED_AGENDA)).isZero();
    }

    @Test
    void whatIsPostponedOrAddedLateIsFoundToo() {
        var random = new Random(5);
        UUID id = id(random);
        ended.put("acme", report(id, "file", List.of()));
        Instant due = NOON.plus(Duration.ofDays(30));
        var item = new LedgerTimers.Item("acme", id);
        assertThat(ended.due(due, MANY)).containsExactly(item);
        ended.postpone(item, due.plus(Duration.ofDays(1)));
        assertThat(ended.due(due.plus(Duration.ofHours(23)), MANY)).isEmpty();
        UUID late = id(random);
        ended.put("acme", new EndedReport(late, 1, null, null, NOON, false, List.of()));
        assertThat(ended.due(due.plus(Duration.ofDays(1)), MANY))
                .containsExactlyInAnyOrder(item, new LedgerTimers.Item("acme", late));
    }

    private long rows(String kind) {
        long rows = 0;
        try (KeyValueIterator<String, byte[]> entries = store.range(kind + "/", kind + "0")) {
            for (; entries.hasNext(); entries.next()) {
                rows++;
            }
        }
        return rows;
    }
}
