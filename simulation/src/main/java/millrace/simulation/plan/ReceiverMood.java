package millrace.simulation.plan;

/** How a receiver of webhooks answers. */
public enum ReceiverMood {
    HEALTHY,
    /** Within the deadline, but late. */
    SLOW,
    /** Never. */
    DEAD,
    /** With 500. */
    REFUSING
}
