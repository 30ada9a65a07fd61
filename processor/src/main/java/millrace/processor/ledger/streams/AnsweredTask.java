package millrace.processor.ledger.streams;

import millrace.contracts.commands.AccountCommand;

/** A task that local workers have rendered before the decision that handed it out is committed. */
record AnsweredTask(HandedTask task, AccountCommand answer) {}
