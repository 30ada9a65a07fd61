package millrace.processor.ledger.streams;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.warehouse.DataVersions;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Creates an account step for each partition of the commands. A step forwards each record to the child with the name of
 * the record's topic, one of {@link ReportTopology#outputs()}. Its state is in the {@link #stores()}.
 */
public final class AccountStepSupplier implements ProcessorSupplier<String, byte[], String, byte[]> {
    /**
     * The components that all account steps of a process share.
     *
     * @param wall the wall clock
     */
    record LedgerParts(
            Ledger ledger,
            DataVersions versions,
            LedgerRecords records,
            LedgerMetrics metrics,
            CommandListener listener,
            InstantSource wall) {}

    /** Hears of each command before it is decided, more than once where a transaction is undone. It must not throw. */
    @FunctionalInterface
    public interface CommandListener {
        void read(AccountCommand command, Headers headers);
    }

    private final LedgerParts parts;
    private final Supplier<LedgerTransaction> transaction;
    private final ThreadLocal<LedgerStores.Caches> caches = ThreadLocal.withInitial(LedgerStores.Caches::new);

    /**
     * @param fileUrl returns the absolute URL of a file of a complete report, or null
     * @param registry receives the metrics
     * @param transaction returns the transaction of the calling thread, which all steps of that thread share
     * @param wall the wall clock; Streams has to have a time that does not follow it where it is set
     */
    public AccountStepSupplier(
            LedgerRules rules,
            DataVersions versions,
            BiFunction<ReportStatus, StoredFile, @Nullable String> fileUrl,
            MeterRegistry registry,
            Supplier<LedgerTransaction> transaction,
            InstantSource wall,
            CommandListener listener) {
        this.parts = new LedgerParts(
                new Ledger(rules), versions, new LedgerRecords(fileUrl), new LedgerMetrics(registry), listener, wall);
        this.transaction = transaction;
    }

    /** Steps without a listener. */
    public AccountStepSupplier(
            LedgerRules rules,
            DataVersions versions,
            BiFunction<ReportStatus, StoredFile, @Nullable String> fileUrl,
            MeterRegistry registry,
            Supplier<LedgerTransaction> transaction,
            InstantSource wall) {
        this(rules, versions, fileUrl, registry, transaction, wall, (command, headers) -> {});
    }

    /** A new step for the calling stream thread. */
    @Override
    public Processor<String, byte[], String, byte[]> get() {
        return new AccountStep(parts, transaction, caches::get);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return Set.of(LedgerStores.builder());
    }
}
