package millrace.e2e.cluster;

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

/** The times that clients waited for reports and webhooks before, during and after a fault. */
final class RecoveryTimes {
    private final Instant faultAt;
    private final List<Wait> waits;

    /** Times of one report in milliseconds. */
    private record Wait(long sinceFault, long complete, long webhook) {}

    /**
     * @param faultAt when the fault began
     * @param arrivals when the last webhook of each report arrived
     */
    RecoveryTimes(Instant faultAt, List<SteadyLoad.Followed> all, Map<String, Instant> arrivals) {
        this.faultAt = faultAt;
        this.waits = all.stream().map(one -> wait(one, arrivals)).toList();
    }

    /** The median time from the request to the end of the report. */
    static Duration usual(List<SteadyLoad.Followed> all) {
        return Duration.ofMillis(
                median(all.stream().map(one -> millis(one.submitted(), Objects.requireNonNull(one.complete())))));
    }

    private Wait wait(SteadyLoad.Followed one, Map<String, Instant> arrivals) {
        Instant webhook = Objects.requireNonNull(arrivals.get(one.report()));
        return new Wait(
                millis(faultAt, one.submitted()),
                millis(one.submitted(), Objects.requireNonNull(one.complete())),
                millis(one.submitted(), webhook));
    }

    String line(String fault, int repeated) {
        return String.format(
                Locale.ROOT,
                "%-18s %4d reports; quiet %5d ms to complete, %5d ms to the webhook; longest %6d ms and %6d ms; %d requests repeated",
                fault,
                waits.size(),
                median(waits.stream().filter(wait -> wait.sinceFault < 0).map(Wait::complete)),
                median(waits.stream().filter(wait -> wait.sinceFault < 0).map(Wait::webhook)),
                waits.stream().mapToLong(Wait::complete).max().orElse(0),
                waits.stream().mapToLong(Wait::webhook).max().orElse(0),
                repeated);
    }

    /**
     * Writes a line for each report: when it was submitted, and the times until it was complete and until its last
     * webhook arrived.
     */
    void write(Path file) throws IOException {
        Files.write(
                file,
                Stream.concat(
                                Stream.of("from " + faultAt),
                                waits.stream()
                                        .map(wait -> String.format(
                                                Locale.ROOT,
                                                "%7d %6d %6d",
                                                wait.sinceFault,
                                                wait.complete,
                                                wait.webhook)))
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
