package millrace.notifier;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import millrace.notifier.delivery.RetrySchedule;
import millrace.runtime.Setting;
import millrace.webhook.AllowedAddresses;

/**
 * @param deadline of one whole exchange
 * @param retries pauses after the first, second, … failed attempt
 * @param heldEvents from this many on nothing new is taken in until some are delivered
 * @param allowedAddresses ranges in CIDR notation
 */
public record NotifierSettings(
        @Setting(value = "accounts.yaml", doc = "file that declares the accounts, for their webhook secrets")
        Path accounts,

        @Setting(value = "5s", doc = "time for one attempt, from the lookup of the host to the end of the answer")
        Duration deadline,

        @Setting(
                value = "5s,30s,2m,10m,30m,2h,5h,10h,10h",
                doc = "pauses between attempts; after the last one an event goes to the dead letters")
        List<Duration> retries,

        @Setting(value = "20", doc = "percent by which a pause is randomly shorter or longer")
        int retryJitterPercent,

        @Setting(value = "4", doc = "attempts under way at once to one endpoint")
        int inFlightPerEndpoint,

        @Setting(value = "4000", doc = "attempts under way at once")
        int inFlight,

        @Setting(value = "500000", doc = "undelivered events kept in memory, about 1 kB each")
        int heldEvents,

        @Setting(doc = "address ranges webhooks may go to besides public ones, for example 127.0.0.0/8")
        List<String> allowedAddresses) {

    public NotifierSettings {
        atLeast("deadline in ms", deadline.toMillis(), 1);
        atLeast("in-flight-per-endpoint", inFlightPerEndpoint, 1);
        atLeast("in-flight", inFlight, 1);
        atLeast("held-events", heldEvents, 1);
        schedule(retries, retryJitterPercent);
        AllowedAddresses.publicAnd(allowedAddresses);
    }

    RetrySchedule schedule() {
        return schedule(retries, retryJitterPercent);
    }

    private static RetrySchedule schedule(List<Duration> retries, int jitterPercent) {
        return new RetrySchedule(retries, jitterPercent / 100.0);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
        }
    }
}
