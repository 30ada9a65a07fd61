package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a report ended. A report that its client cancelled has not failed, although both are {@link Status#INTERNAL_ERROR}. */
public enum Outcome {
    @JsonProperty("completed")
    COMPLETED,
    @JsonProperty("cancelled")
    CANCELLED,
    @JsonProperty("failed")
    FAILED;

    /** Null while the report is processing. */
    static @Nullable Outcome of(Status status, ReportStatus.@Nullable Failure error) {
        return switch (status) {
            case PROCESSING -> null;
            case COMPLETE -> COMPLETED;
            case INTERNAL_ERROR -> error == null ? FAILED : of(error.code());
        };
    }

    /** That of a report which ends with an error of the code. */
    public static Outcome of(ErrorCode code) {
        return code == ErrorCode.CANCELLED ? CANCELLED : FAILED;
    }

    public static Optional<Outcome> ofWord(String word) {
        return Arrays.stream(values())
                .filter(outcome -> outcome.word().equals(word))
                .findAny();
    }

    /** The status of reports that ended so. */
    public Status status() {
        return this == COMPLETED ? Status.COMPLETE : Status.INTERNAL_ERROR;
    }

    /** The word in answers, webhooks, topics and metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
