package millrace.simulation.plan;

/** The processes that faults hit: two processors and two notifiers. */
public enum ServiceName {
    PROCESSOR_1,
    PROCESSOR_2,
    NOTIFIER_1,
    NOTIFIER_2
}
