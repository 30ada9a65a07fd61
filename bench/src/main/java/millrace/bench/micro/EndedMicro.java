package millrace.bench.micro;

import java.time.Instant;
import millrace.bench.ledger.EndedRows;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Adds a report that is over to those that a partition of the ledger keeps. */
@State(Scope.Benchmark)
public class EndedMicro {
    private static final int KNOWN = 20_000;

    private final EndedRows rows = new EndedRows(1, Instant.parse("2026-11-02T08:15:30Z"));

    @Setup
    public void fill() {
        for (int i = 0; i < KNOWN; i++) {
            add();
        }
    }

    @Benchmark
    public void add() {
        rows.add("account", null);
    }
}
