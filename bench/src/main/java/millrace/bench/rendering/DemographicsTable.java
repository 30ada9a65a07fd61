package millrace.bench.rendering;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A warehouse with one table, demographics: domains {@code d….example} in the US, in months from
 * 2020-01 on, each with twelve rows.
 */
public record DemographicsTable(Path warehouse, int domains, int months) {
    public static final int ROWS_PER_MONTH = 12;

    public static DemographicsTable create(Path warehouse, int domains, int months) throws IOException {
        Path folder = Files.createDirectories(warehouse.resolve("demographics"));
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("v1.duckdb"));
                Statement sql = db.createStatement()) {
            sql.execute("SET memory_limit = '1GB'");
            sql.execute("SET preserve_insertion_order = true");
            sql.execute("""
                    CREATE TABLE demographics AS
                    SELECT 'd' || lpad(CAST(d AS VARCHAR), 8, '0') || '.example' AS domain, 'US' AS country,
                        CAST(DATE '2020-01-01' + to_months(CAST(m AS INTEGER)) AS DATE) AS date, a AS age_group, g AS gender,
                        'monthly' AS granularity, false AS subdomains,
                        (hash(d * 97 + m) %% 1000000) / 1e6 AS demographics_share,
                        (hash(d * 89 + m) %% 1000) / 1e3 AS demographics_bounce_rate,
                        NULL::DOUBLE AS demographics_avg_visit_duration, NULL::DOUBLE AS demographics_pages_per_visit
                    FROM range(0, %d) p(d), range(0, %d) q(m),
                        (VALUES ('18-24'), ('25-34'), ('35-44'), ('45-54'), ('55-64'), ('65+')) r(a),
                        (VALUES ('Female'), ('Male')) s(g)
                    ORDER BY domain, date, age_group, gender""".formatted(domains, months));
        } catch (SQLException e) {
            throw new IOException("the table cannot be made", e);
        }
        Files.writeString(folder.resolve("current"), "v1\n");
        return new DemographicsTable(warehouse, domains, months);
    }

    /** A request for {@code count} domains from the given one on, over all months. */
    public String request(int first, int count) {
        return request(first, count, "");
    }

    /** @param more further fields, each after a comma */
    public String request(int first, int count, String more) {
        var names = new StringBuilder();
        for (int i = 0; i < count; i++) {
            names.append(i == 0 ? "" : ",")
                    .append('"')
                    .append(domain(first + i))
                    .append('"');
        }
        int last = months - 1;
        return """
                {"domains":[%s],"countries":["US"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2020-01","end_date":"%d-%02d","granularity":"monthly"%s}""".formatted(names, 2020 + last / 12, last % 12 + 1, more);
    }

    private static String domain(int number) {
        return String.format(java.util.Locale.ROOT, "d%08d.example", number);
    }
}
