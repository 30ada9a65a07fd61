package millrace.notifier.delivery;

import java.time.Instant;
import java.util.UUID;
import millrace.contracts.DeliveryCommand.Deliver;

/** Events as tests name them: {@code 3.2} is the second event of report 3. */
final class Events {
    private Events() {}

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
