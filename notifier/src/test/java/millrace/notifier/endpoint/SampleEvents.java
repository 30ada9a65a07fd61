package millrace.notifier.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;

/** Events with short names: {@code 3.2} is the second event of report 3. */
final class SampleEvents {
    private SampleEvents() {}

    /** Rules with a fixed cap and without any other limit. */
    static FlowRules rules(int cap) {
        return new FlowRules(
                cap,
                cap,
                1000,
                Duration.ofSeconds(1),
                1_000_000,
                List.of(Duration.ofSeconds(5), Duration.ofSeconds(15)),
                Duration.ofSeconds(4));
    }

    /** An event that failed once. */
    static HeldEvent retried(int report, long due) {
        return HeldEvent.takenOver(
                HeldEvent.Id.of(deliver(report, 1, "u")), "u", 0, 1, HeldEvent.NOT_RESENT, due, report);
    }

    static Deliver occurred(int report, int sequence, long at) {
        Deliver d = deliver(report, sequence, "http://r.example/hook");
        return new Deliver(
                d.eventId(),
                d.accountId(),
                d.url(),
                d.reportId(),
                sequence,
                Instant.ofEpochMilli(at),
                d.body(),
                d.traceparent());
    }

    static Deliver deliver(int report, int sequence, String url) {
        return new Deliver(
                report + "." + sequence,
                "acme",
                url,
                new UUID(0, report),
                sequence,
                Instant.EPOCH,
                "{}",
                "00-00000000000000000000000000000001-0000000000000001-00");
    }

    static HeldEvent arrived(int report, int sequence, long now) {
        return HeldEvent.arrived(deliver(report, sequence, "http://r.example/hook"), now, now);
    }
}
