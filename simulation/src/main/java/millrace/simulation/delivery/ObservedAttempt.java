package millrace.simulation.delivery;

import java.util.UUID;

/**
 * The start of an attempt to deliver an event.
 *
 * @param nanos simulated time
 * @param process name of the sending process
 * @param report of the event
 * @param sequence of the event in its report, from 1
 */
public record ObservedAttempt(long nanos, String process, String host, String webhookId, UUID report, int sequence) {}
