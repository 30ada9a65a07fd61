package millrace.simulation.world;

/** How a receiver of webhooks answers. */
enum ReceiverMood {
    HEALTHY,
    /** Within the deadline, but late. */
    SLOW,
    /** Never. */
    DEAD,
    /** With 500. */
    REFUSING
}
