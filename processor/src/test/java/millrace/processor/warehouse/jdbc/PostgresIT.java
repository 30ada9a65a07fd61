package millrace.processor.warehouse.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import millrace.testing.TestPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slices on a PostgreSQL server that is slow, locked, stopped or misconfigured. */
@Tag("thorough") // stops a PostgreSQL server
class PostgresIT {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static @Nullable TestPostgres started;

    @BeforeAll
    static void start() throws Exception {
        Optional<TestPostgres> found = TestPostgres.start();
        assumeThat(found).as(TestPostgres.MISSING).isPresent();
        started = found.orElseThrow();
        sql(
                "CREATE TABLE millrace_versions (dataset TEXT, version TEXT, table_name TEXT,"
                        + " switched_at TIMESTAMP DEFAULT clock_timestamp())",
                table("keywords_v1"),
                "INSERT INTO keywords_v1 VALUES ('k', 'US', '2026-01-01', 'monthly', 1)",
                "INSERT INTO millrace_versions VALUES ('keywords', 'v1', 'keywords_v1')");
    }

    @AfterAll
    static void stop() throws Exception {
        if (started != null) {
            started.close();
        }
    }

    @Test
    void aCancelledQueryEndsOnTheServer() throws Exception {
        try (var warehouse = new JdbcWarehouse(server().address(), JdbcTestSettings.of(LONG));
                Connection lock = locked();
                RowStream stream = warehouse.open(query("v1"))) {
            CompletableFuture<Reason> read = CompletableFuture.supplyAsync(() -> reason(stream));
            await().atMost(LONG).until(() -> server().running() == 1);
            stream.cancel();
            assertThat(read.get()).isEqualTo(Reason.CANCELLED);
            await().atMost(LONG).until(() -> server().running() == 0);
            lock.rollback();
            assertThat(read(warehouse, "v1")).isEqualTo(1);
        }
    }

    @Test
    void aQueryThatTakesTooLongEndsOnTheServer() throws Exception {
        try (var warehouse = new JdbcWarehouse(server().address(), JdbcTestSettings.of(Duration.ofSeconds(1)));
                Connection lock = locked();
                RowStream stream = warehouse.open(query("v1"))) {
            assertThat(reason(stream)).isEqualTo(Reason.UNAVAILABLE);
            await().atMost(LONG).until(() -> server().running() == 0);
            lock.rollback();
        }
    }

    @Test
    void aServerThatGoesAndComesIsUnavailableMeanwhile() throws Exception {
        try (var warehouse = new JdbcWarehouse(
                server().address(),
                new JdbcSettings(
                        "postgres",
                        null,
                        4,
                        Duration.ofSeconds(1),
                        LONG,
                        7,
                        Duration.ofMillis(50),
                        Duration.ofMillis(5)))) {
            try (RowStream stream = warehouse.open(query("v1"))) {
                server().down();
                assertThat(reason(stream)).isEqualTo(Reason.UNAVAILABLE);
            }
            assertThatThrownBy(() -> warehouse.open(query("v1")))
                    .isInstanceOfSatisfying(WarehouseException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE);
                        assertThat(e.pause()).isEqualTo(Duration.ofMillis(5));
                    });
            assertThat(warehouse.versions().current("keywords")).isPresent();
            server().up();
            await().atMost(LONG).ignoreExceptions().until(() -> read(warehouse, "v1") == 1);
        }
    }

    @Test
    void aVersionIsSwitchedInWhileReportsReadAnother() throws Exception {
        sql(
                table("keywords_v2"),
                "INSERT INTO keywords_v2 SELECT 'k', 'US', d, 'monthly', 2 FROM"
                        + " generate_series(DATE '2026-01-01', DATE '2026-02-01', '1 month') AS d");
        try (var warehouse = new JdbcWarehouse(server().address(), JdbcTestSettings.of(LONG))) {
            assertThat(warehouse.versions().current("keywords")).contains("v1");
            assertThat(warehouse.versions().current("demographics")).isEmpty();
            try (RowStream before = warehouse.open(query("v1"))) {
                sql("INSERT INTO millrace_versions VALUES ('keywords', 'v2', 'public.keywords_v2')");
                await().atMost(LONG)
                        .until(() -> warehouse.versions().current("keywords").equals(Optional.of("v2")));
                assertThat(before.next()).isTrue();
                assertThat(before.next()).isFalse();
            }
            assertThat(read(warehouse, "v2")).isEqualTo(2);
            assertThat(read(warehouse, "v1")).isEqualTo(1);
        } finally {
            sql("DELETE FROM millrace_versions WHERE version = 'v2'", "DROP TABLE keywords_v2");
        }
    }

    /** A table from before the metric was declared, and then altered while it is read. */
    @Test
    void metricsThatTheTableLacksAreAbsent() throws Exception {
        SliceQuery slice = query("v1", "all_keyword_cpc", "all_keyword_monthly_search_volume");
        try (var warehouse = new JdbcWarehouse(server().address(), JdbcTestSettings.of(LONG))) {
            try (RowStream rows = warehouse.open(slice)) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.absent(3)).isTrue();
                assertThat(rows.number(4)).isEqualTo(1);
                assertThat(rows.next()).isFalse();
            }
            sql("ALTER TABLE keywords_v1 ADD COLUMN all_keyword_cpc DOUBLE PRECISION DEFAULT 0.5");
            try (RowStream rows = warehouse.open(slice)) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.number(3)).isEqualTo(0.5);
            }
        } finally {
            sql("ALTER TABLE keywords_v1 DROP COLUMN IF EXISTS all_keyword_cpc");
        }
    }

    /** The driver asks for the zone of this machine, in which a time may be of another day. */
    @Test
    void daysAreThoseOfUtc() throws Exception {
        TimeZone ofMachine = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
        try (var warehouse = new JdbcWarehouse(server().address(), JdbcTestSettings.of(LONG))) {
            List<String> zones = new ArrayList<>();
            for (int i = 0; i < 2; i++) { // also after the rollback that ends the first
                warehouse.query("keywords", "v1", table -> "SHOW TimeZone", found -> {
                    found.next();
                    zones.add(found.getString(1));
                });
            }
            assertThat(zones).containsExactly("UTC", "UTC");
        } finally {
            TimeZone.setDefault(ofMachine);
        }
    }

    @Test
    void whatIsMissingIsUnavailable() throws Exception {
        sql(
                "CREATE TABLE keywords_bad (keyword TEXT)",
                "INSERT INTO millrace_versions VALUES ('keywords', 'bad', 'keywords_bad', '2020-01-01'),"
                        + " ('keywords', 'none', 'no_such_table', '2020-01-01'),"
                        + " ('keywords', 'evil', 'a\"; DROP TABLE keywords_v1', '2020-01-01')");
        try (var warehouse = new JdbcWarehouse(server().address(), JdbcTestSettings.of(LONG))) {
            for (String version : List.of("bad", "none", "evil", "v0")) {
                assertThatThrownBy(() -> read(warehouse, version))
                        .as(version)
                        .isInstanceOfSatisfying(WarehouseException.class, e -> assertThat(e.reason())
                                .isEqualTo(Reason.MISSING));
            }
            assertThat(read(warehouse, "v1")).isEqualTo(1);
        }
    }

    @Test
    void whatCannotBeUsedIsSaidAtTheStart() {
        assertThatThrownBy(() -> new JdbcWarehouse("jdbc:oracle:x?password=p", JdbcTestSettings.of(LONG)))
                .hasMessageContaining("not jdbc:oracle:x")
                .hasMessageNotContaining("password");
        assertThatThrownBy(() -> new JdbcWarehouse(server().address() + "_none", JdbcTestSettings.of(LONG)))
                .hasMessageContaining("cannot be reached");
        assertThatThrownBy(() -> new JdbcWarehouse(
                        server().address().replace("/postgres", "/template1"), JdbcTestSettings.of(LONG)))
                .hasMessageContaining("millrace_versions");
    }

    private static TestPostgres server() {
        if (started == null) {
            throw new IllegalStateException("not started");
        }
        return started;
    }

    private static String table(String name) {
        return "CREATE TABLE " + name + " (keyword TEXT, country TEXT, date DATE, granularity TEXT,"
                + " all_keyword_monthly_search_volume DOUBLE PRECISION)";
    }

    private static void sql(String... statements) throws SQLException {
        try (Connection db = server().connect();
                Statement statement = db.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Locks the table, so that readers wait. */
    private static Connection locked() throws SQLException {
        Connection db = server().connect();
        db.setAutoCommit(false);
        try (Statement statement = db.createStatement()) {
            statement.execute("LOCK TABLE keywords_v1 IN ACCESS EXCLUSIVE MODE");
        }
        return db;
    }

    private static @Nullable Reason reason(RowStream stream) {
        try {
            stream.next();
            return null;
        } catch (WarehouseException e) {
            return e.reason();
        }
    }

    private static int read(Warehouse warehouse, String version) throws WarehouseException {
        int rows = 0;
        try (RowStream stream = warehouse.open(query(version))) {
            while (stream.next()) {
                rows++;
            }
        }
        return rows;
    }

    private static SliceQuery query(String version) {
        return query(version, "all_keyword_monthly_search_volume");
    }

    private static SliceQuery query(String version, String... metrics) {
        return SliceQuery.of(
                TestWarehouse.dataset("keywords"),
                new ReportQuery(
                        "keywords",
                        List.of("k"),
                        List.of("US"),
                        List.of(metrics),
                        new ReportQuery.Dates(Granularity.MONTHLY, LocalDate.of(2026, 1, 1), LocalDate.of(2026, 2, 1)),
                        Map.of(),
                        false,
                        null,
                        ReportQuery.Output.CSV),
                version);
    }
}
