package millrace.processor.ledger.streams;

import millrace.contracts.commands.AccountCommand;
import org.apache.kafka.common.header.Headers;

/** Hears of each command before it is decided, more than once where a transaction is undone. It must not throw. */
@FunctionalInterface
public interface CommandListener {
    void read(AccountCommand command, Headers headers);
}
