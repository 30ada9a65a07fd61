package millrace.bench.micro;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import millrace.bench.ledger.LedgerCommands;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerAccount;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.decide.Verdict;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Decides the commands of a report that is requested and settled, and decodes them. */
@State(Scope.Benchmark)
public class LedgerMicro {
    private static final Duration DAY = Duration.ofDays(1);

    private final LedgerCommands commands = new LedgerCommands(1, true);
    private final AccountCommand request = commands.request(0);
    private final AccountCommand done = commands.done(0);
    private final byte[] requestBytes = Topics.ACCOUNT_COMMANDS.encode(request);
    private final byte[] doneBytes = Topics.ACCOUNT_COMMANDS.encode(done);
    private final UUID report = LedgerCommands.id(0);
    private final Ledger ledger = new Ledger(new LedgerRules(
            new LedgerRules.Slicing(100_000, 500, 1_000),
            new LedgerRules.Turns(4, 8, 64),
            new LedgerRules.Times(
                    DAY,
                    DAY,
                    DAY.multipliedBy(30),
                    DAY.multipliedBy(365),
                    DAY.multipliedBy(400),
                    DAY.multipliedBy(29))));
    private final SingleAccount reader = new SingleAccount(commands.account(0));
    private final Instant now = Instant.parse("2026-11-02T08:15:30.120Z");

    public LedgerMicro() {
        decide(commands.grant(0));
    }

    /** Figures are per command. */
    @Benchmark
    @OperationsPerInvocation(LedgerCommands.PER_REPORT)
    public LedgerAccount decide() {
        decide(request);
        decide(done);
        reader.forget(report);
        return reader.account();
    }

    /** Figures are per command. */
    @Benchmark
    @OperationsPerInvocation(LedgerCommands.PER_REPORT)
    public int decode() {
        return Topics.ACCOUNT_COMMANDS.decode(requestBytes).hashCode()
                + Topics.ACCOUNT_COMMANDS.decode(doneBytes).hashCode();
    }

    private void decide(AccountCommand command) {
        var changes = new PendingChanges(reader, now);
        if (ledger.decide(changes, command) instanceof Verdict.Refused refused) {
            throw new IllegalStateException(refused.reason());
        }
        ledger.turns(changes);
        reader.save(changes);
    }
}
