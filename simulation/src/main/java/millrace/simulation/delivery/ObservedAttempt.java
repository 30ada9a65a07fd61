package millrace.simulation.delivery;

import java.util.UUID;

/**
 * An attempt to deliver an event, as it began.
 *
 * @param nanos simulated time
 * @param process that makes it
 * @param report of the event
 * @param sequence of the event in its report, from 1
 */
public record ObservedAttempt(long nanos, String process, String host, String webhookId, UUID report, int sequence) {}
