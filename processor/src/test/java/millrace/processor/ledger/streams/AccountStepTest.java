package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.state.LedgerStores;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountStepTest {
    private final MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();

    /** Streams commits each task that was woken, and a process may have hundreds that have nothing to do. */
    @Test
    void sleepsWhileNothingIsDue(@TempDir Path folder) {
        Processor<String, byte[], String, byte[]> step = step(folder);
        assertThat(waiting()).as("it looks once what is due").containsExactly(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(waiting()).containsExactly(StepAlarm.LONGEST);
        step.process(new Record<>(
                "acme",
                Topics.ACCOUNT_COMMANDS.encode(new AccountCommand.GrantCredits("opening-acme", 1000, "bought")),
                context.currentSystemTimeMs()));
        pass(Duration.ofMinutes(1));
        assertThat(waiting()).as("nothing follows before the next opening").containsExactly(StepAlarm.LONGEST);
    }

    private Processor<String, byte[], String, byte[]> step(Path folder) {
        context.setCurrentSystemTimeMs(LedgerSamples.NOON.toEpochMilli());
        KeyValueStore<String, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(LedgerStores.STORE), Serdes.String(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        var transaction = new LedgerTransaction(ServiceThreads.ofMachine(), Duration.ofMillis(20), LocalWorkers.NONE);
        transaction.readBy(partition -> 0);
        var supplier = new AccountStepSupplier(
                LedgerTestDriver.settings(folder).rules(),
                dataset -> Optional.empty(),
                (report, file) -> null,
                new SimpleMeterRegistry(),
                () -> transaction,
                () -> Instant.ofEpochMilli(context.currentSystemTimeMs()));
        Processor<String, byte[], String, byte[]> step = supplier.get();
        step.init(context);
        return step;
    }

    /** Intervals of the punctuations that were not cancelled. */
    private List<Duration> waiting() {
        return scheduled().stream().map(CapturedPunctuator::getInterval).toList();
    }

    private List<CapturedPunctuator> scheduled() {
        return context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList();
    }

    /** Runs what was scheduled for this time. */
    private void pass(Duration time) {
        context.setCurrentSystemTimeMs(context.currentSystemTimeMs() + time.toMillis());
        scheduled().stream()
                .filter(punctuator -> punctuator.getInterval().compareTo(time) <= 0)
                .forEach(punctuator -> punctuator.getPunctuator().punctuate(context.currentSystemTimeMs()));
    }
}
