package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.contracts.Json;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.disk.DiskReportStore;
import millrace.files.entities.EntityDictionary;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.WarehouseException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entity dictionaries and facts of DuckDB files. */
class VersionFactsTest {
    private static final Dataset KEYWORDS = TestWarehouse.dataset("keywords");
    private static final Dataset DEMOGRAPHICS = TestWarehouse.dataset("demographics");
    private static final String FILE = EntityDictionary.fileName("keywords", "v1");
    private static final Instant UPDATED = Instant.parse("2026-11-21T06:15:30Z");

    @TempDir
    private Path root;

    private TestWarehouse data;
    private ReportStore store;
    private TableReader tables;
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void rows() throws IOException {
        store = new DiskReportStore(root.resolve("reports"), false);
        data = new TestWarehouse(root.resolve("warehouse"));
        var reader = new FolderTableReader(data.folder(), root.resolve("spill"));
        tables = (dataset, version, sql, rows) -> {
            reads.incrementAndGet();
            reader.read(dataset, version, sql, rows);
        };
    }

    @Test
    void findsWhatIsInAVersion() throws Exception {
        data.with(
                "keywords",
                "v1",
                "SELECT word, 'US', month, 'monthly', 1, 2, 3, 4, 5 FROM (VALUES ('run'), ('zoo'), ('apple')) AS a(word),"
                        + " (VALUES (DATE '2026-02-01'), (DATE '2026-01-01')) AS b(month)",
                // other granularities, and letters that sort in another way elsewhere
                "VALUES ('zoo', 'US', '2026-10-05', 'weekly', 1, 2, 3, 4, 5),"
                        + " ('été', 'US', '2026-10-12', 'weekly', 1, 2, 3, 4, 5),"
                        + " ('ﬁ', 'US', '2026-10-12', 'weekly', 1, 2, 3, 4, 5),"
                        + " ('👟 shoes', 'US', '2026-10-12', 'hourly', 1, 2, 3, 4, 5)",
                // what no request can name
                "VALUES ('Upper', 'US', '2025-01-01', 'monthly', 1, 2, 3, 4, 5),"
                        + " (' spaces ', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5),"
                        + " ('', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5),"
                        + " (NULL, 'US', NULL, NULL, 1, 2, 3, 4, 5)");
        Files.setLastModifiedTime(data.folder().file("keywords", "v1"), FileTime.from(UPDATED));
        assertThat(content(KEYWORDS))
                .isEqualTo(new DictionaryContent(
                        new DatasetFacts(
                                UPDATED,
                                14,
                                6,
                                Map.of(
                                        "weekly", span("2026-10-05", "2026-10-12"),
                                        "monthly", span("2025-01-01", "2026-02-01")),
                                List.of("zoo", "apple", "run")),
                        List.of(" spaces ", "Upper", "apple", "run", "zoo", "été", "ﬁ", "👟 shoes")));
    }

    /** That of an earlier build lacks names that requests can name by now, which would be reports for nothing. */
    @Test
    void isBuiltAgainWhereAnEarlierBuildHasLeftNamesOut() throws Exception {
        fill("v1");
        var earlier = new DatasetFacts(null, 1, 1, Map.of(), List.of("a"));
        // A dictionary of no names: magic, and facts that say nothing of every name.
        byte[] json = Json.bytes(earlier);
        var checksum = new CRC32C();
        ByteBuffer trailer =
                ByteBuffer.allocate(32).putLong(0).putInt(0).putInt(json.length).putInt(0);
        checksum.update(json);
        checksum.update(trailer.array(), 0, trailer.position());
        trailer.putInt((int) checksum.getValue()).putLong(0x6d72_656e_7469_0001L);
        try (ReportFileWriter out = store.create(FILE)) {
            out.write(json);
            out.write(trailer.array());
            out.commit();
        }
        try (var facts = facts()) {
            assertThat(facts.of(KEYWORDS, "v1")).as("until then").contains(earlier);
            await().until(facts::takeBuilt);
            assertThat(facts.of(KEYWORDS, "v1").orElseThrow().entityCount()).isEqualTo(2);
        }
        assertThat(EntityDictionary.open(store, FILE).hasEveryName()).isTrue();
        try (var second = facts()) {
            assertThat(second.of(KEYWORDS, "v1")).isPresent();
        }
        assertThat(reads).hasValue(1);
    }

    @Test
    void findsNothingInAnEmptyVersion() throws Exception {
        data.with("demographics", "v1");
        DictionaryContent content = content(DEMOGRAPHICS);
        assertThat(content.names()).isEmpty();
        assertThat(content.facts()).isEqualTo(new DatasetFacts(content.facts().updatedAt(), 0, 0, Map.of(), List.of()));
    }

    /** More than fits into the memory of the reader. */
    @Tag("thorough")
    @Test
    void findsVeryManyEntities() throws Exception {
        data.with(
                "keywords",
                "v1",
                "SELECT 'a keyword that is a little longer than most others ' || (i * 7919 % 3000000), 'US',"
                        + " DATE '2026-01-01', 'monthly', 1, 2, 3, 4, 5 FROM range(3000000) AS r(i)");
        DictionaryContent content = content(KEYWORDS);
        assertThat(content.facts().entityCount()).isEqualTo(3_000_000);
        assertThat(content.names()).hasSize(3_000_000).isSorted();
    }

    @Test
    void isBuiltOnceForAllProcessors() throws Exception {
        fill("v1");
        try (var first = facts();
                var second = facts()) {
            assertThat(first.of(KEYWORDS, "v1")).isEmpty();
            await().until(first::takeBuilt);
            assertThat(first.takeBuilt()).isFalse();
            DatasetFacts found = first.of(KEYWORDS, "v1").orElseThrow();
            assertThat(found.entityCount()).isEqualTo(2);
            assertThat(second.of(KEYWORDS, "v1")).contains(found);
            assertThat(second.takeBuilt()).isFalse();
        }
        assertThat(reads).hasValue(1);
    }

    /** Each reads the version before one of them has written; both end with the same file. */
    @Test
    void isTheSameWhereTwoBuildItAtOnce() throws Exception {
        fill("v1");
        var both = new CountDownLatch(2);
        TableReader together = (dataset, version, sql, rows) -> {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            tables.read(dataset, version, sql, rows);
        };
        var builder = new EntityDictionaryBuilder(store, together, data.folder());
        try (var processors = Executors.newFixedThreadPool(2)) {
            var first = processors.submit(() -> builder.build(KEYWORDS, "v1"));
            var second = processors.submit(() -> builder.build(KEYWORDS, "v1"));
            assertThat(first.get()).isEqualTo(second.get());
        }
        assertThat(store.list()).containsExactly(FILE);
        assertThat(store.deleteUnfinished(Instant.MAX)).isZero();
        assertThat(EntityDictionary.open(store, FILE).facts().entityCount()).isEqualTo(2);
    }

    @Test
    void isBuiltAgainWhereItIsDeletedOrDamaged() throws Exception {
        fill("v1");
        try (var facts = facts()) {
            assertThat(facts.of(KEYWORDS, "v1")).isEmpty();
            await().until(facts::takeBuilt);
            store.delete(FILE);
            // Until it is there again the facts are what they were.
            assertThat(facts.of(KEYWORDS, "v1")).isPresent();
            await().until(facts::takeBuilt);
            assertThat(store.exists(FILE)).isTrue();
        }
        Files.writeString(root.resolve("reports").resolve(FILE), "rubbish", UTF_8);
        try (var facts = facts()) {
            assertThat(facts.of(KEYWORDS, "v1")).isEmpty();
            await().until(facts::takeBuilt);
            assertThat(facts.of(KEYWORDS, "v1")).isPresent();
        }
    }

    @Test
    void followsTheVersion() throws Exception {
        fill("v1");
        try (var facts = facts()) {
            await().until(() -> facts.of(KEYWORDS, "v1").isPresent());
            data.with("keywords", "v2", "VALUES ('c', 'US', '2026-03-01', 'monthly', 1, 2, 3, 4, 5)");
            await().until(() -> facts.of(KEYWORDS, "v2").isPresent());
            assertThat(facts.of(KEYWORDS, "v2").orElseThrow().sampleEntities()).containsExactly("c");
            assertThat(facts.of(KEYWORDS, "v1").orElseThrow().sampleEntities()).containsExactly("a", "b");
        }
    }

    /** An engine that needs more time than it has would need it again. */
    @Test
    void anEngineThatFailsIsAskedThreeTimesForAVersion() throws Exception {
        fill("v1");
        var asked = new ConcurrentLinkedQueue<String>();
        TableReader slow = (dataset, version, sql, rows) -> {
            asked.add(dataset + " " + version);
            throw new WarehouseException(WarehouseException.Reason.UNAVAILABLE, "canceling statement due to timeout");
        };
        try (var facts = new VersionFacts(store, slow, data.folder())) {
            await().until(() -> facts.of(KEYWORDS, "v1").isEmpty() && asked.size() == 3);
            // One thread asks: when it has come to the other dataset, the third attempt has ended.
            assertThat(facts.of(DEMOGRAPHICS, "v1")).isEmpty();
            await().until(() -> asked.size() == 4);
            assertThat(facts.of(KEYWORDS, "v1")).isEmpty();
            assertThat(facts.of(KEYWORDS, "v2")).isEmpty();
            await().until(() -> asked.size() == 5);
        }
        assertThat(asked)
                .containsExactly("keywords v1", "keywords v1", "keywords v1", "demographics v1", "keywords v2");
        assertThat(store.list()).isEmpty();
    }

    /** Grouping the rows again each minute would help nobody. */
    @Test
    void waitsWhereTheFileCannotBeWritten() throws Exception {
        fill("v1");
        var asked = new ConcurrentLinkedQueue<String>();
        TableReader full = (dataset, version, sql, rows) -> {
            asked.add(dataset + " " + version);
            throw new UncheckedIOException(new IOException("No space left on device"));
        };
        try (var facts = new VersionFacts(store, full, data.folder())) {
            assertThat(facts.of(KEYWORDS, "v1")).isEmpty();
            assertThat(facts.of(DEMOGRAPHICS, "v1")).isEmpty();
            await().until(() -> asked.size() == 2);
            assertThat(facts.of(KEYWORDS, "v1")).isEmpty();
            assertThat(facts.of(KEYWORDS, "v2")).isEmpty();
            await().until(() -> asked.size() == 3);
        }
        assertThat(asked).containsExactly("keywords v1", "demographics v1", "keywords v2");
    }

    @Test
    void anEngineThatSortsInAnotherWayIsNoticed() throws Exception {
        data.with(
                "keywords",
                "v1",
                "VALUES ('a', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5),"
                        + " ('b', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5)");
        TableReader backwards = (dataset, version, sql, rows) ->
                tables.read(dataset, version, table -> sql.apply(table) + " DESC", rows);
        var builder = new EntityDictionaryBuilder(store, backwards, data.folder());
        assertThatThrownBy(() -> builder.build(KEYWORDS, "v1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the entities are not sorted by their bytes");
        assertThat(store.list()).isEmpty();
    }

    @Test
    void closingEndsARunningStatement() throws Exception {
        data.with(
                "keywords",
                "v1",
                "SELECT 'k' || i, 'US', DATE '2026-01-01', 'monthly', 1, 2, 3, 4, 5 FROM range(1000) AS r(i)");
        var reader = new FolderTableReader(data.folder(), root.resolve("spill"));
        var running = new CountDownLatch(1);
        try (var thread = Executors.newSingleThreadExecutor()) {
            var query = thread.submit(() -> {
                running.countDown();
                // Without an end: 10^12 rows.
                reader.read(
                        "keywords",
                        "v1",
                        table -> "SELECT count(*) FROM " + table + " AS a, " + table + " AS b, " + table + " AS c, "
                                + table + " AS d WHERE hash(a.keyword, b.keyword, c.keyword, d.keyword) = 0",
                        rows -> assertThat(rows.next()).isTrue());
                return null;
            });
            running.await();
            await().until(() -> {
                reader.close();
                return query.isDone();
            });
            assertThatThrownBy(query::get).cause().isInstanceOfSatisfying(WarehouseException.class, e -> assertThat(
                            e.reason())
                    .isEqualTo(WarehouseException.Reason.CANCELLED));
        }
    }

    private void fill(String version) {
        data.with(
                "keywords",
                version,
                "VALUES ('a', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5),"
                        + " ('b', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5)");
    }

    private VersionFacts facts() {
        return new VersionFacts(store, tables, data.folder());
    }

    private DictionaryContent content(Dataset dataset) throws IOException, WarehouseException {
        return DictionaryContent.of(dataset, "v1", tables, data.folder(), root.resolve("reports"));
    }

    private static DatasetFacts.Span span(String first, String last) {
        return new DatasetFacts.Span(LocalDate.parse(first), LocalDate.parse(last));
    }
}
