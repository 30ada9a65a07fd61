package millrace.gateway.admission;

import java.util.UUID;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.Text;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/** The result of a submission or a retry. */
public sealed interface SubmissionOutcome {
    /**
     * Kafka acknowledged the command: the report will end.
     *
     * @param status the report's status now, in the words of its dialect
     */
    record Accepted(UUID reportId, String status) implements SubmissionOutcome {}

    /** The same request was accepted before. */
    record Replayed(UUID reportId) implements SubmissionOutcome {}

    /**
     * The report was not accepted, or it is not known whether it was: {@link ProblemCode#OUTCOME_UNKNOWN}.
     *
     * @param error the sentence for the client
     * @param reportId the report to ask for, or null if there is none
     */
    record Refused(ProblemCode code, String error, @Nullable UUID reportId) implements SubmissionOutcome {
        Refused(ProblemCode code, String error) {
            this(code, error, null);
        }

        /** The estimate is above the {@code max_credits} of the request. */
        public static Refused aboveLimit(long estimate, long maxCredits) {
            return new Refused(
                    ProblemCode.INVALID_REQUEST,
                    RequestFields.MAX_CREDITS + ": the estimate of " + Text.number(estimate) + " credits is above "
                            + Text.number(maxCredits) + "; accepted: at least the estimate, or a smaller request");
        }

        /** The Idempotency-Key of the request is taken. */
        public static Refused keyTaken() {
            return new Refused(
                    ProblemCode.IDEMPOTENCY_CONFLICT,
                    "Idempotency-Key: it belongs to another request, or to a report that was erased; use a new one.");
        }

        /** Kafka did not acknowledge the command in time. */
        public static Refused unacknowledged(UUID reportId) {
            return new Refused(
                    ProblemCode.OUTCOME_UNKNOWN,
                    "Kafka did not acknowledge in time, so the request may or may not have been accepted. Ask for"
                            + " the status of report_id, or repeat the request with the same Idempotency-Key.",
                    reportId);
        }
    }
}
