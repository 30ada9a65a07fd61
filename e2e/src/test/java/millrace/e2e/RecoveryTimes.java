package millrace.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** How long clients waited for reports and for webhooks during a fault. */
final class RecoveryTimes {
    private final Instant faultAt;
    private final List<Wait> waits;

    /** All in milliseconds. */
    private record Wait(long sinceAmiss, long complete, long heard) {}

    /**
     * @param faultAt when it began
     * @param told when the receiver got the last event of a report
     */
    RecoveryTimes(Instant faultAt, List<SteadyLoad.Followed> all, Map<String, Instant> told) {
        this.faultAt = faultAt;
        this.waits = all.stream().map(one -> wait(one, told)).toList();
    }

    /** The median of the times from the request to the end. */
    static Duration usual(List<SteadyLoad.Followed> all) {
        return Duration.ofMillis(
                median(all.stream().map(one -> millis(one.submitted(), Objects.requireNonNull(one.complete())))));
    }

    private Wait wait(SteadyLoad.Followed one, Map<String, Instant> told) {
        Instant heard = Objects.requireNonNull(told.get(one.report()));
        return new Wait(
                millis(faultAt, one.submitted()),
                millis(one.submitted(), Objects.requireNonNull(one.complete())),
                millis(one.submitted(), heard));
    }

    String line(String fault, int repeated) {
        return String.format(
                Locale.ROOT,
                "%-18s %4d reports; quiet %5d ms to complete, %5d ms to the webhook; longest %6d ms and %6d ms; %d requests repeated",
                fault,
                waits.size(),
                median(waits.stream().filter(wait -> wait.sinceAmiss < 0).map(Wait::complete)),
                median(waits.stream().filter(wait -> wait.sinceAmiss < 0).map(Wait::heard)),
                waits.stream().mapToLong(Wait::complete).max().orElse(0),
                waits.stream().mapToLong(Wait::heard).max().orElse(0),
                repeated);
    }

    /** Each report: when it was submitted, how long until it was complete, and until the receiver knew. */
    void write(Path file) throws IOException {
        Files.write(
                file,
                Stream.concat(
                                Stream.of("from " + faultAt),
                                waits.stream()
                                        .map(wait -> String.format(
                                                Locale.ROOT,
                                                "%7d %6d %6d",
                                                wait.sinceAmiss,
                                                wait.complete,
                                                wait.heard)))
                        .toList());
    }

    private static long median(Stream<Long> some) {
        List<Long> sorted = some.sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static long millis(Instant from, Instant to) {
        return Duration.between(from, to).toMillis();
    }
}
