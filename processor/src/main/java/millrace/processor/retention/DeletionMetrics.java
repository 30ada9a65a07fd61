package millrace.processor.retention;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.commands.FileDeletion;

/** Counts deleted files. */
final class DeletionMetrics {
    private final Map<FileDeletion.Reason, Counter> deleted = new EnumMap<>(FileDeletion.Reason.class);
    private final Counter failures;
    private final Counter givenUp;

    DeletionMetrics(MeterRegistry registry) {
        for (FileDeletion.Reason reason : FileDeletion.Reason.values()) {
            deleted.put(reason, deleted(registry, reason.name().toLowerCase(Locale.ROOT)));
        }
        failures = Counter.builder("millrace.files.delete.failures")
                .description("Files that could not be deleted; each try counts")
                .register(registry);
        givenUp = Counter.builder("millrace.files.given.up")
                .description("Files that the report store refuses to delete, left to the next listing")
                .register(registry);
    }

    /**
     * The counter of files that are deleted for a reason.
     *
     * @param reason that of a {@link FileDeletion}, or {@code listed} for what was found in the store
     */
    public static Counter deleted(MeterRegistry registry, String reason) {
        return Counter.builder("millrace.files.deleted")
                .description(
                        "Files deleted from the report store; one that is deleted again after a failure counts twice")
                .tag("reason", reason)
                .register(registry);
    }

    void deleted(FileDeletion.Reason reason, int files) {
        Objects.requireNonNull(deleted.get(reason)).increment(files);
    }

    void failed(int files) {
        failures.increment(files);
    }

    void givenUp(int files) {
        givenUp.increment(files);
    }
}
