package millrace.notifier;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import millrace.notifier.endpoint.FlowRules;
import millrace.notifier.endpoint.RetrySchedule;
import millrace.notifier.endpoint.WindowRules;
import millrace.runtime.settings.Setting;
import millrace.webhook.address.AllowedAddresses;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the notifier, below {@code notifier}. The constructor throws {@link IllegalArgumentException} if a
 * value is out of range.
 *
 * @param deadline of one whole exchange
 * @param retries pauses after the first, second, … failed attempt
 * @param giveUpAfter age of an event, counted from when it occurred
 * @param slowPercent largest share of the slow lane in all attempts under way
 * @param window see {@link WindowRules}
 * @param heldEvents see {@link WindowRules}
 * @param allowedAddresses ranges in CIDR notation
 * @param blockedAddresses ranges in CIDR notation; they take precedence over allowed and public ones
 */
public record NotifierSettings(
        @Setting(value = "accounts.yaml", doc = "file that declares accounts; used for those that Kafka does not know")
        Path accounts,

        @Setting(
                doc = "file with the key that encrypts webhook secrets, the same as the gateways'; next to the accounts"
                        + " file where not set")
        @Nullable
        Path accountsKey,

        @Setting(value = "5s", doc = "timeout of one attempt, from the lookup of the host to the end of the answer")
        Duration deadline,

        @Setting(
                value = "5s,30s,2m,10m,30m,2h,5h,10h,10h",
                doc = "pauses between attempts; after the last one an event goes to the dead letters")
        List<Duration> retries,

        @Setting(value = "20", advanced = true, doc = "percent by which a pause is randomly shorter or longer")
        int retryJitterPercent,

        @Setting(
                value = "72h",
                doc = "age at which an event goes to the dead letters, also while its endpoint is not tried")
        Duration giveUpAfter,

        @Setting(value = "4", advanced = true, doc = "attempts under way at once to a new endpoint")
        int inFlightPerEndpoint,

        @Setting(value = "32", advanced = true, doc = "attempts under way at once to an endpoint that keeps up")
        int mostInFlightPerEndpoint,

        @Setting(value = "500", doc = "attempts a second to one endpoint")
        int perSecondPerEndpoint,

        @Setting(value = "5", advanced = true, doc = "failures in a row after which an endpoint is only probed")
        int failuresToOpen,

        @Setting(
                value = "5s,15s,30s,1m,2m,5m",
                advanced = true,
                doc = "pauses between such probes; the last one is repeated")
        List<Duration> probes,

        @Setting(
                value = "4s",
                advanced = true,
                doc = "time from the first success until an endpoint gets its full rate again")
        Duration ramp,

        @Setting(value = "1s", advanced = true, doc = "endpoints whose attempts take longer share a lane of their own")
        Duration slowAfter,

        @Setting(value = "25", advanced = true, doc = "percent of the attempts under way that the slow ones may be")
        int slowPercent,

        @Setting(value = "4000", advanced = true, doc = "attempts under way at once")
        int inFlight,

        @Setting(
                value = "0",
                advanced = true,
                doc = "threads that talk to receivers, each receiver with one of them; 0 for one for each two cores, at"
                        + " most 4")
        int senderThreads,

        @Setting(
                value = "1000",
                advanced = true,
                doc = "events of an endpoint in memory that were not attempted; further ones wait in Kafka")
        int window,

        @Setting(
                value = "1000000",
                advanced = true,
                doc = "undelivered events in memory, about 130 bytes each; an account has at most a quarter of them, an"
                        + " endpoint a fiftieth")
        int heldEvents,

        @Setting(first = true, doc = "address ranges webhooks may go to besides public ones, for example 127.0.0.0/8")
        List<String> allowedAddresses,

        @Setting(doc = "address ranges webhooks may not go to, public or allowed, for example 198.51.100.0/24")
        List<String> blockedAddresses) {

    /** The source topic, in which events of backlogs wait, keeps them for 30 days. */
    public static final Duration LONGEST_BACKLOG = Duration.ofDays(20);

    private static final int CORES_OF_SENDER_THREAD = 2;
    private static final int MOST_SENDER_THREADS = 4;

    public NotifierSettings {
        atLeast("deadline in ms", deadline.toMillis(), 1);
        atLeast("give-up-after in ms", giveUpAfter.toMillis(), 1);
        atLeast("in-flight", inFlight, 1);
        atLeast("sender-threads", senderThreads, 0);
        new WindowRules(window, heldEvents);
        atLeast("slow-percent", slowPercent, 1);
        schedule(retries, retryJitterPercent);
        new FlowRules(
                inFlightPerEndpoint,
                mostInFlightPerEndpoint,
                perSecondPerEndpoint,
                slowAfter,
                failuresToOpen,
                probes,
                ramp);
        addresses(allowedAddresses, blockedAddresses);
    }

    /** Number of threads that talk to receivers, on a machine with so many cores. */
    public int senderThreads(int cores) {
        return senderThreads > 0
                ? senderThreads
                : Math.max(1, Math.min(MOST_SENDER_THREADS, cores / CORES_OF_SENDER_THREAD));
    }

    public AllowedAddresses addresses() {
        return addresses(allowedAddresses, blockedAddresses);
    }

    private static AllowedAddresses addresses(List<String> allowed, List<String> blocked) {
        return AllowedAddresses.publicAnd(allowed).except(blocked);
    }

    public RetrySchedule schedule() {
        return schedule(retries, retryJitterPercent);
    }

    /** Age at which an event is given up that waits in the source for an endpoint that fails as a whole. */
    public Duration giveUpBacklogAfter() {
        return giveUpAfter.compareTo(LONGEST_BACKLOG) < 0 ? giveUpAfter : LONGEST_BACKLOG;
    }

    public WindowRules windows() {
        return new WindowRules(window, heldEvents);
    }

    public FlowRules flow() {
        return new FlowRules(
                inFlightPerEndpoint,
                mostInFlightPerEndpoint,
                perSecondPerEndpoint,
                slowAfter,
                failuresToOpen,
                probes,
                ramp);
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
