package millrace.notifier.bootstrap;

import java.time.Duration;
import java.util.Map;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.AttemptOutcomes;
import millrace.notifier.loop.AttemptStarter;
import millrace.notifier.loop.BacklogReader;
import millrace.notifier.loop.Backlogs;
import millrace.notifier.loop.CommitScheduler;
import millrace.notifier.loop.DeliveryContext;
import millrace.notifier.loop.DeliveryLoop;
import millrace.notifier.loop.DeliveryRecordHandler;
import millrace.notifier.loop.DeliveryScheduler;
import millrace.notifier.loop.DeliveryStateWriter;
import millrace.notifier.loop.EndpointStatePublisher;
import millrace.notifier.loop.Housekeeping;
import millrace.notifier.loop.Mailbox;
import millrace.notifier.loop.NotifierClients;
import millrace.notifier.loop.NotifierEnvironment;
import millrace.notifier.loop.Ownership;
import millrace.notifier.loop.PartitionBackpressure;
import millrace.notifier.loop.PayloadReader;
import millrace.notifier.loop.PendingWrites;
import millrace.notifier.loop.TakeOver;
import millrace.notifier.loop.TransactionWriter;
import millrace.notifier.loop.UnownedPartitionCheck;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** Creates and closes the clients and components of one run of the loop. */
final class NotifierRun implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final Consumer<String, byte[]> consumer;
    private final TransactionWriter transactions;
    private final Mailbox mailbox;
    private final PayloadReader payloadReader;
    private final BacklogReader backlogReader;
    private final TakeOver takeOver;
    private final UnownedPartitionCheck unownedPartitionCheck;
    private final DeliveryLoop loop;

    /** Blocks until an open transaction of this instance's previous run has ended. */
    NotifierRun(
            NotifierSettings settings,
            NotifierClients clients,
            DeliveryContext context,
            NotifierEnvironment environment) {
        ServiceThreads threads = environment.threads();
        transactions = new TransactionWriter(clients.producer(), threads);
        consumer = clients.groupMember();
        mailbox = new Mailbox(consumer, threads);
        payloadReader = new PayloadReader(mailbox, clients::payloadReader, threads);
        takeOver = new TakeOver(mailbox, clients::stateReader, settings.flow(), context.clock(), threads);
        unownedPartitionCheck = new UnownedPartitionCheck(mailbox, clients::admin, threads);
        var pendingWrites = new PendingWrites(context.clock());
        var ownership = new Ownership();
        var states = new EndpointStatePublisher(pendingWrites, context.clock());
        var stateWriter = new DeliveryStateWriter(ownership, pendingWrites);
        var outcomes = new AttemptOutcomes(settings.schedule(), ownership, stateWriter, pendingWrites, states, context);
        var attempts = new AttemptStarter(environment.sender(), environment.secrets(), context.clock(), mailbox);
        var deliveries = new DeliveryScheduler(settings, attempts, payloadReader, ownership, outcomes, context.clock());
        backlogReader = new BacklogReader(mailbox, clients::backlogReader, threads);
        var backlogs = new Backlogs(settings.windows(), deliveries, stateWriter, pendingWrites, states, backlogReader);
        loop = new DeliveryLoop(
                consumer,
                mailbox,
                new DeliveryRecordHandler(deliveries, backlogs, stateWriter, states, pendingWrites, context),
                deliveries,
                new CommitScheduler(consumer, transactions, deliveries, stateWriter, pendingWrites, mailbox),
                new DeliveryLoop.LoopParts(
                        takeOver,
                        new PartitionBackpressure(consumer),
                        backlogs,
                        stateWriter,
                        states,
                        new Housekeeping(deliveries, backlogs, pendingWrites, context.metrics()),
                        threads));
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /** The metrics of the group's consumer. Thread-safe. */
    Map<MetricName, ? extends Metric> consumerMetrics() {
        return consumer.metrics();
    }

    DeliveryLoop loop() {
        return loop;
    }

    /** Closes the clients without waiting for brokers that are unavailable. */
    @Override
    public void close() {
        unownedPartitionCheck.close();
        payloadReader.close();
        backlogReader.close();
        takeOver.close();
        transactions.close();
        consumer.close(CloseOptions.timeout(CLOSING));
    }
}
