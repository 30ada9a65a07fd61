package millrace.simulation.plan;

/** The condition of a receiver of webhooks. */
public enum ReceiverCondition {
    HEALTHY,
    /** Answers late, but within the deadline. */
    SLOW,
    /** Never answers. */
    UNRESPONSIVE,
    /** Answers 500. */
    REFUSING
}
