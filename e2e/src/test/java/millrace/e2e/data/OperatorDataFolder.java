package millrace.e2e.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;

/** A data folder as an operator creates it: own tables and accounts, no demo. */
public record OperatorDataFolder(Path data) {
    /** An absent cell of each kind: NULL, NaN, infinity. {@code $n} is the row's number. */
    private static final String GAPS = """
            CASE ($n + %1$d) %% 7 WHEN 0 THEN NULL WHEN 3 THEN CAST('NaN' AS DOUBLE) WHEN 5 THEN CAST('infinity' AS DOUBLE)
            ELSE ($n + %1$d) / 1000 END AS %2$s""";

    public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** Creates all tables except that of traffic_and_engagement, which {@link #loadTraffic} adds. */
    public static OperatorDataFolder create(Path data, Map<String, Long> creditsByAccount) throws IOException, SQLException {
        var own = new OperatorDataFolder(data);
        Files.createDirectories(data);
        List<DeclaredAccount> accounts = creditsByAccount.entrySet().stream()
                .map(account -> account(account.getKey(), account.getValue()))
                .toList();
        Files.writeString(data.resolve("accounts.yaml"), new AccountsFile(accounts).text());
        own.load("demographics", demographics());
        own.load("audience_interests", audienceInterests());
        own.load("keywords", keywords());
        own.load("site_keywords", siteKeywords());
        return own;
    }

    /** The batch key of an account; its rest key is {@code rest-…}. */
    public static String key(String account) {
        return "batch-" + account;
    }

    public Path warehouse() {
        return data.resolve("warehouse");
    }

    public void loadTraffic() throws IOException, SQLException {
        load("traffic_and_engagement", """
                SELECT 'd' || d || '.example' AS domain, c AS category_id, 'WW' AS country,
                    DATE '2026-01-01' + to_days(CAST(t AS INTEGER)) AS date, 'daily' AS granularity, false AS subdomains, %s, %s
                FROM range(1, 4) a(d), (VALUES (0), (7)) b(c), range(0, 10) e(t) ORDER BY domain, category_id, date""".formatted(
                        gaps(1, "category_sales_performance_product_views", "d * 20 + t"),
                        gaps(2, "category_sales_performance_revenue", "d * 20 + t + c")));
    }

    private void load(String dataset, String rows) throws IOException, SQLException {
        Path folder = Files.createDirectories(warehouse().resolve(dataset));
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("v1.duckdb"));
                Statement sql = db.createStatement()) {
            sql.execute("CREATE TABLE " + dataset + " AS " + rows);
        }
        announce(dataset, "v1");
    }

    /** Makes a version current, which need not exist. */
    public void announce(String dataset, String version) throws IOException {
        Path folder = Files.createDirectories(warehouse().resolve(dataset));
        Path next = Files.writeString(folder.resolve("next"), version);
        Files.move(next, folder.resolve("current"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String demographics() {
        return """
                SELECT 'd' || d || '.example' AS domain, c AS country, m AS date, a AS age_group, g AS gender,
                    'monthly' AS granularity, s AS subdomains, %s, %s
                FROM range(1, 2001) p(d), (VALUES ('DE'), ('US')) q(c), (VALUES (DATE '2026-01-01'), (DATE '2026-02-01')) r(m),
                    (VALUES ('18-24'), ('65+')) t(a), (VALUES ('Female'), ('Male')) u(g), (VALUES (false), (true)) v(s)
                ORDER BY domain, country, date, age_group, gender""".formatted(
                        gaps(1, "demographics_share", "d + length(a) + length(g)"),
                        gaps(2, "demographics_bounce_rate", "d + month(m) + length(c || g)"));
    }

    /**
     * Domain a reveals w in one month only, x everywhere, y never (its overlap is NaN), z by mobile only; b reveals
     * them too.
     */
    private static String audienceInterests() {
        return """
                SELECT d || '.example' AS domain, c AS country, m AS date, o || '.example' AS audience_domain,
                    'monthly' AS granularity, false AS subdomains, 1.5 AS desktop_audience_interests_affinity,
                    CASE o WHEN 'w' THEN CASE WHEN m = DATE '2026-02-01' THEN 0.1 END WHEN 'x' THEN 0.2
                        WHEN 'y' THEN CAST('NaN' AS DOUBLE) END AS desktop_audience_interests_overlap,
                    CASE o WHEN 'x' THEN 0.25 WHEN 'z' THEN 0.3 END AS mobile_audience_interests_overlap
                FROM (VALUES ('a'), ('b')) p(d), (VALUES ('DE'), ('US')) q(c),
                    (VALUES (DATE '2026-01-01'), (DATE '2026-02-01')) r(m), (VALUES ('w'), ('x'), ('y'), ('z')) t(o)
                ORDER BY domain, country, date, audience_domain""";
    }

    /** Nine months, without absent cells for k1 to k9, with absent cells only for "empty". */
    private static String keywords() {
        return """
                SELECT k AS keyword, 'US' AS country, CAST(DATE '2026-01-01' + to_months(CAST(t AS INTEGER)) AS DATE) AS date,
                    'monthly' AS granularity, CASE WHEN k <> 'empty' THEN t + 0.5 END AS all_keyword_volume,
                    CASE WHEN k <> 'empty' THEN 1.0 END AS all_keyword_cpc
                FROM (SELECT 'k' || n FROM range(1, 10) p(n) UNION ALL SELECT 'empty') q(k), range(0, 9) r(t)
                ORDER BY keyword, date""";
    }

    private static String siteKeywords() {
        return """
                SELECT 's' || d || '.example' AS domain, 'US' AS country, DATE '2026-01-05' AS date, 'word ' || k AS keyword,
                    'weekly' AS granularity, false AS subdomains, 1000.0 - k AS desktop_keywords_total_visits,
                    CASE k %% 3 WHEN 0 THEN '' WHEN 1 THEN 'https://s.example/' || k END AS desktop_keywords_top_all_url,
                    CASE WHEN k %% 2 = 0 THEN CAST(k AS INTEGER) END AS desktop_keywords_top_all_url_position
                FROM range(1, 4) p(d), range(1, 102) q(k) ORDER BY domain, desktop_keywords_total_visits DESC""".replace("%%", "%");
    }

    private static String gaps(int shift, String column, String number) {
        return GAPS.formatted(shift, column).replace("$n", "(" + number + ")");
    }

    private static DeclaredAccount account(String id, long credits) {
        var all = new DeclaredAccount.Entitlement(
                List.of("DE", "US", "WW"), LocalDate.parse("2025-01-01"), LocalDate.parse("2026-10-31"));
        List<DeclaredAccount.Key> keys = Stream.of(AccountRecord.KeyKind.values())
                .map(kind -> new DeclaredAccount.Key(
                        kind,
                        Hashes.sha256((kind == AccountRecord.KeyKind.BATCH ? "batch-" : "rest-") + id),
                        null,
                        null))
                .toList();
        return new DeclaredAccount(
                id, id, keys, credits, Map.of("web_desktop_data", all, "web_mobile_data", all), null, List.of(SECRET));
    }
}
