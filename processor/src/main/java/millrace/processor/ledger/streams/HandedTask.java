package millrace.processor.ledger.streams;

import millrace.contracts.commands.RenderTask;

/**
 * A task that a step hands out.
 *
 * @param record hands it out through Kafka
 */
public record HandedTask(RenderTask task, OutgoingRecord record) {}
