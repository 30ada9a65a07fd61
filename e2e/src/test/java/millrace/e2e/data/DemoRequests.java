package millrace.e2e.data;

import millrace.standalone.demo.DemoNames;

import java.util.List;
import java.util.stream.Collectors;

/** Requests on the demo warehouse. */
public final class DemoRequests {
    private static final List<String> DOMAINS = DemoNames.domains();

    private DemoRequests() {}

    /** A request of one slice and some dozens of rows, different for each number. */
    public static String small(int number) {
        return """
                {"domains":["%s"],"countries":["US","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2026-09","end_date":"2026-10","granularity":"monthly"}""".formatted(DOMAINS.get(number % DOMAINS.size()));
    }

    /** A request for all sites in many countries over years: several slices, some seconds in total. */
    public static String large() {
        return allSites("2025-01", List.of("US", "GB", "DE", "FR", "WW", "IN"));
    }

    /** A request for all that there is of a dataset: some ten seconds. */
    public static String largest() {
        return allSites("2023-11", DemoNames.countries());
    }

    private static String allSites(String start, List<String> countries) {
        return """
                {"domains":[%s],"countries":[%s],
                 "metrics":["demographics_share","demographics_bounce_rate","demographics_pages_per_visit"],
                 "start_date":"%s","end_date":"2026-10","granularity":"monthly"}""".formatted(quoted(DOMAINS), quoted(countries), start);
    }

    private static String quoted(List<String> names) {
        return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(","));
    }

    /** The same request with a webhook. */
    public static String with(String request, String webhookUrl) {
        return request.substring(0, request.length() - 1) + ",\"webhook_url\":\"" + webhookUrl + "\"}";
    }
}
