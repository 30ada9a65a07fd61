package millrace.simulation.plan;

/** How a receiver of webhooks answers. */
public enum ReceiverCondition {
    HEALTHY,
    /** Within the deadline, but late. */
    SLOW,
    /** Never. */
    DEAD,
    /** With 500. */
    REFUSING
}
