package millrace.gateway.copy.deliveries;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookDeadLetter;

/** Records about one event, at times counted in seconds. */
record DeliveryRecords(String account, UUID report, int sequence, String url) {
    private static final Instant START = Instant.parse("2026-11-02T08:00:00Z");

    static DeliveryRecords of(String account, int report) {
        return new DeliveryRecords(account, new UUID(0, report), 1, "https://hooks.example/" + account + "?token=x");
    }

    DeliveryId id() {
        return new DeliveryId(report, sequence);
    }

    static Outcome anyOutcome(Random random) {
        List<Outcome> all = List.of(Outcome.values());
        return all.get(random.nextInt(all.size()));
    }

    static Instant at(int second) {
        return START.plusSeconds(second);
    }

    Deliver deliver(int second) {
        return new Deliver(id().toString(), account, url, report, sequence, at(second), "{}", "trace");
    }

    Resend resend(int attempts, int second) {
        return resend(0, attempts, second);
    }

    /** @param occurred when the event did */
    Resend resend(int occurred, int attempts, int second) {
        return new Resend(deliver(occurred), attempts, at(second));
    }

    WebhookAttempt attempt(int number, Outcome outcome, int second) {
        return new WebhookAttempt(
                id().toString(),
                account,
                deliver(0).endpoint(),
                url,
                report,
                sequence,
                number,
                outcome,
                outcome == Outcome.DELIVERED ? 204 : 500,
                outcome == Outcome.DELIVERED ? null : "The receiver answered 500.",
                null,
                at(second),
                12,
                Map.of("headers", 12L),
                outcome == Outcome.FAILED ? at(second + 5) : null,
                null,
                null,
                null,
                null);
    }

    WebhookDeadLetter letter(int attempts, int second) {
        return new WebhookDeadLetter(
                id().toString(),
                account,
                deliver(0).endpoint(),
                url,
                report,
                sequence,
                attempts,
                "The receiver answered 500.",
                at(0),
                at(second),
                "{}",
                null);
    }
}
