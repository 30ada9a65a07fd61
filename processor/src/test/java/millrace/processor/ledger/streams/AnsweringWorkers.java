package millrace.processor.ledger.streams;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerSamples;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Fake workers that answer every task at once, and every third one twice. */
public final class AnsweringWorkers implements AutoCloseable {
    private final KafkaConsumer<String, byte[]> consumer;
    private final CommandSender commands;
    private final Thread thread;
    private final AtomicInteger answered = new AtomicInteger();

    public AnsweringWorkers(String bootstrapServers) {
        commands = new CommandSender(bootstrapServers);
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "group.id",
                        "workers",
                        "auto.offset.reset",
                        "earliest",
                        "isolation.level",
                        "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        consumer.subscribe(List.of(Topics.SLICES.name(), Topics.SMALL_REPORTS.name()));
        thread = Thread.ofPlatform().name("answering-workers").start(this::work);
    }

    public int answered() {
        return answered.get();
    }

    private void work() {
        try (consumer) {
            while (!Thread.currentThread().isInterrupted()) {
                consumer.poll(Duration.ofSeconds(1)).forEach(r -> answer(Topics.SLICES.decode(r.value())));
                commands.flush();
            }
        } catch (WakeupException e) {
            commands.close();
        }
    }

    private void answer(RenderTask task) {
        AccountCommand answer =
                switch (task) {
                    case RenderTask.RenderSlice t ->
                        new AccountCommand.SliceDone(
                                t.slice(), LedgerSamples.file(t.slice()), new ResultCounts(1, 1, 0));
                    case RenderTask.Assemble t ->
                        new AccountCommand.Assembled(t.slice(), LedgerSamples.file(t.slice()));
                    case RenderTask.WriteManifest t ->
                        new AccountCommand.Assembled(t.slice(), LedgerSamples.file(t.slice()));
                };
        commands.send(task.accountId(), answer);
        if (answered.incrementAndGet() % 3 == 0) {
            commands.send(task.accountId(), answer);
        }
    }

    @Override
    public void close() throws InterruptedException {
        consumer.wakeup();
        thread.join();
    }
}
