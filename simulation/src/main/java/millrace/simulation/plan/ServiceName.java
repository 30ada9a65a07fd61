package millrace.simulation.plan;

import java.util.Locale;

/** The processes that faults hit: two processors and two notifiers. */
public enum ServiceName {
    PROCESSOR_1,
    PROCESSOR_2,
    NOTIFIER_1,
    NOTIFIER_2;

    /** The name of its processes and of its machine. */
    public String instance() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
