package millrace.contracts.requests;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Hashes;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a query: SHA-256 over its canonical JSON (RFC 8785), in which defaults are filled in. Two requests for the
 * same rows in the same form have the same hash, whatever the order and case of their names and whether the names travel
 * in the query or in a list of their own. Name, webhook, retention and cost limit of the report do not count.
 */
public final class QueryHash {
    private QueryHash() {}

    /** Lower-case hex. */
    public static String of(ReportQuery query) {
        return Hashes.sha256(CanonicalJson.bytes(canonical(query)));
    }

    private static Map<String, @Nullable Object> canonical(ReportQuery q) {
        var json = new TreeMap<String, @Nullable Object>();
        json.put("dataset", q.dataset());
        json.put("entities_sha256", q.entitiesSha256());
        json.put("countries", q.countries());
        json.put("metrics", q.metrics());
        json.put("granularity", q.dates().granularity().word());
        json.put("first_period", q.dates().first().toString());
        json.put("last_period", q.dates().last().toString());
        json.put("filters_sha256", filters(q));
        json.put("subdomains", q.subdomains());
        json.put("limit", q.limit());
        json.put("offset", Objects.requireNonNullElse(q.offset(), 0));
        json.put("response_format", q.output().responseFormat());
        json.put("compression", q.output().compressionWord());
        json.put("csv_safety", q.output().csvSafety());
        if (q.parts() > 1) {
            json.put("parts", q.parts());
        }
        return json;
    }

    private static Map<String, String> filters(ReportQuery q) {
        var hashes = new TreeMap<String, String>();
        q.filters().keySet().forEach(column -> hashes.put(column, q.filterSha256(column)));
        return hashes;
    }
}
