package millrace.gateway.copy.reports;

import java.time.Instant;

/** Where a report's full request is in Kafka. Requests are not kept in memory. */
public sealed interface RequestPosition {
    int partition();

    /** Among the commands. */
    record Command(int partition, long offset) implements RequestPosition {}

    /** In the compacted topic of requests. */
    record Settled(int partition, long offset) implements RequestPosition {}

    /** In that topic too: the first one of the report among the records of this time or later. */
    record Since(int partition, Instant time) implements RequestPosition {}
}
