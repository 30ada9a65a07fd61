package millrace.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import millrace.testing.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of data in PostgreSQL, while it works, is too slow, and is unavailable. */
@Tag("thorough") // a PostgreSQL server that is stopped
class WarehouseUnavailableIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String REQUEST = """
            {"domains":["a.example","b.example"],"countries":["DE","US"],"metrics":["demographics_share"],
             "start_date":"2026-01","end_date":"2026-02","granularity":"monthly"}""";
    private static final String ROWS = """
            domain,country,date,age_group,gender,demographics_share\r
            a.example,DE,2026-01-01,18-24,Female,0.25\r
            a.example,US,2026-02-01,65+,Male,12345678.5\r
            """;

    @TempDir
    Path folder;

    @Test
    void endsReportsWhateverTheEngineDoes() throws Exception {
        Optional<TestPostgres> found = TestPostgres.start();
        assumeThat(found).as(TestPostgres.MISSING).isPresent();
        OperatorDataFolder own = OperatorDataFolder.create(folder.resolve("data"), Map.of("acme", 1_000L));
        try (TestPostgres engine = found.orElseThrow();
                ServiceProcesses services = ServiceProcesses.over(own, "acme")) {
            fill(engine);
            MainProcess gateway = services.gateway("gateway-1");
            services.processor("processor-1", ServiceProcesses.address(gateway), settings(engine));
            BatchApiClient api = services.api(gateway);

            String first = api.submit("demographics", REQUEST);
            assertThat(api.download(api.ended(first, TIMEOUT))).isEqualTo(ROWS);
            long credits = api.remainingCredits();

            try (Connection other = engine.connect();
                    Statement sql = other.createStatement()) {
                other.setAutoCommit(false);
                sql.execute("LOCK TABLE demographics_v1 IN ACCESS EXCLUSIVE MODE");
                unavailable(api, api.submit("demographics", REQUEST));
            }
            assertThat(api.remainingCredits()).as("after too slow an answer").isEqualTo(credits);

            engine.down();
            String report = api.submit("demographics", REQUEST);
            unavailable(api, report);
            assertThat(api.remainingCredits()).as("while it is unavailable").isEqualTo(credits);

            engine.up();
            assertThat(api.post("/v3/batch/retry/" + report, "").code()).isEqualTo(200);
            assertThat(api.download(api.ended(report, TIMEOUT))).isEqualTo(ROWS);
        }
    }

    private static void unavailable(BatchApiClient api, String report) {
        JsonNode ended = api.ended(report, TIMEOUT).body();
        assertThat(ended.path("error").path("code").asText()).as("%s", ended).isEqualTo("dataset_unavailable");
    }

    private static String[] settings(TestPostgres engine) {
        return new String[] {
            "--processor.warehouse=" + engine.address(),
            "--processor.jdbc.user=postgres",
            "--processor.jdbc.connect-timeout=1s",
            "--processor.jdbc.query-timeout=1s",
            "--processor.jdbc.retry-pause=100ms",
        };
    }

    private static void fill(TestPostgres engine) throws SQLException {
        try (Connection db = engine.connect();
                Statement sql = db.createStatement()) {
            sql.execute("""
                    CREATE TABLE millrace_versions (dataset varchar, version varchar, table_name varchar, switched_at timestamp);
                    INSERT INTO millrace_versions VALUES ('demographics', 'v1', 'demographics_v1', localtimestamp);
                    CREATE TABLE demographics_v1 (domain text COLLATE "C", country text COLLATE "C", date date,
                        age_group text COLLATE "C", gender text COLLATE "C", granularity text, subdomains boolean,
                        demographics_share double precision);
                    INSERT INTO demographics_v1 VALUES
                        ('a.example', 'US', '2026-02-01', '65+', 'Male', 'monthly', false, 12345678.5),
                        ('a.example', 'DE', '2026-01-01', '18-24', 'Female', 'monthly', false, 0.25),
                        ('c.example', 'DE', '2026-01-01', '18-24', 'Female', 'monthly', false, 1);
                    """);
        }
    }
}
