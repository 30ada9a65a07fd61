package millrace.notifier;

import java.time.Duration;
import java.util.Map;
import millrace.runtime.ServiceThreads;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** What one life of the notifier is made of. */
final class NotifierParts implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final Consumer<String, byte[]> consumer;
    private final Transactions transactions;
    private final Mailbox mailbox;
    private final Payloads payloads;
    private final TakeOver takeOver;
    private final OwnerWatch ownerWatch;
    private final DeliveryLoop loop;

    /** Blocks until an open transaction of this instance's former life is ended. */
    NotifierParts(
            NotifierSettings settings, Clients clients, Surroundings surroundings, NotifierEnvironment environment) {
        ServiceThreads threads = environment.threads();
        transactions = new Transactions(clients.producer(), threads);
        consumer = clients.groupMember();
        mailbox = new Mailbox(consumer, threads);
        payloads = new Payloads(mailbox, clients::payloadReader, threads);
        takeOver = new TakeOver(mailbox, clients::stateReader, settings.flow(), threads);
        ownerWatch = new OwnerWatch(mailbox, clients::admin, threads);
        var outbox = new Outbox();
        var ownership = new Ownership();
        var states = new EndpointStates(outbox);
        var safekeeping = new Safekeeping(ownership, outbox);
        var outcomes = new Outcomes(settings.schedule(), ownership, safekeeping, outbox, states, surroundings);
        var attempts = new Attempts(environment.sender(), environment.secrets(), surroundings.clock(), mailbox);
        var deliveries = new Deliveries(settings, attempts, payloads, ownership, outcomes, surroundings.clock());
        loop = new DeliveryLoop(
                consumer,
                mailbox,
                new Intake(deliveries, safekeeping, states, outbox, surroundings),
                deliveries,
                new Commits(consumer, transactions, deliveries, safekeeping, outbox, mailbox),
                new DeliveryLoop.LoopParts(
                        takeOver,
                        new HoldingBack(consumer, settings.heldEvents()),
                        safekeeping,
                        states,
                        new Housekeeping(deliveries, outbox, surroundings.figures()),
                        threads));
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /** What the group's consumer measures; from any thread. */
    Map<MetricName, ? extends Metric> measured() {
        return consumer.metrics();
    }

    DeliveryLoop loop() {
        return loop;
    }

    /** Does not wait for a broker that is away. */
    @Override
    public void close() {
        ownerWatch.close();
        payloads.close();
        takeOver.close();
        transactions.close();
        consumer.close(CloseOptions.timeout(CLOSING));
    }
}
