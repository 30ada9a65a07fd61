package millrace.e2e.data;

import java.util.List;
import java.util.stream.Collectors;
import millrace.standalone.demo.DemoNames;

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
        return """
                {"domains":[%s],"countries":["US","GB","DE","FR","WW","IN"],
                 "metrics":["demographics_share","demographics_bounce_rate","demographics_pages_per_visit"],
                 "start_date":"2025-01","end_date":"2026-10","granularity":"monthly"}""".formatted(DOMAINS.stream().map(d -> "\"" + d + "\"").collect(Collectors.joining(",")));
    }

    /** The same request with a webhook. */
    public static String with(String request, String webhookUrl) {
        return request.substring(0, request.length() - 1) + ",\"webhook_url\":\"" + webhookUrl + "\"}";
    }
}
