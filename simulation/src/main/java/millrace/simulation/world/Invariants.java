package millrace.simulation.world;

import static java.nio.charset.StandardCharsets.UTF_8;
import static millrace.simulation.invariants.InvariantViolated.check;

import java.util.List;
import java.util.UUID;
import java.util.function.ToIntFunction;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.invariants.CreditInvariants;
import millrace.simulation.invariants.DeliveryInvariants;
import millrace.simulation.invariants.DisturbanceTimes;
import millrace.simulation.invariants.ReportInvariants;
import millrace.simulation.invariants.TopicObserver;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.plan.SimulationPlan;
import org.jspecify.annotations.Nullable;

/** All invariants of a simulation, after every step and at the end. */
final class Invariants {
    private final CommandClient client;
    private final SimulatedReceivers receivers;
    private final CreditInvariants credits = new CreditInvariants();
    private final ReportInvariants reports;
    private final DeliveryInvariants deliveries;
    private final List<TopicObserver<?>> observers;
    private int requestsSeen;

    /**
     * Created when the plan begins.
     *
     * @param interruptedAlone as in {@link ReportInvariants}
     */
    Invariants(
            Scheduler scheduler,
            SimulatedKafka kafka,
            int partitions,
            CommandClient client,
            SimulatedReceivers receivers,
            SimulationPlan plan,
            ToIntFunction<UUID> interruptedAlone) {
        this.client = client;
        this.receivers = receivers;
        this.reports = new ReportInvariants(client.kinds(), interruptedAlone);
        this.deliveries = new DeliveryInvariants(DisturbanceTimes.of(plan, scheduler.nanos()));
        this.observers = List.of(
                new TopicObserver<>(kafka, Topics.CREDIT_LEDGER, partitions, (key, entry) -> credits.take(entry)),
                new TopicObserver<>(kafka, Topics.REPORT_EVENTS, partitions, (key, event) -> reports.take(event)),
                new TopicObserver<>(kafka, Topics.DELIVERIES, partitions, (key, command) -> {
                    deliveries.committed(command, scheduler.nanos());
                    if (command instanceof DeliveryCommand.EraseReport erase) {
                        reports.erased(erase.reportId());
                    }
                }),
                new TopicObserver<>(
                        kafka, Topics.WEBHOOK_DEAD_LETTERS, partitions, (key, letter) -> deliveries.givenUp(letter)),
                new TopicObserver<>(
                        kafka, Topics.COMMAND_DEAD_LETTERS, partitions, (key, command) -> undecided(key, command)));
    }

    /** To be called after every step. */
    void afterStep() {
        observers.forEach(TopicObserver::readCommitted);
        var requests = receivers.requests();
        for (; requestsSeen < requests.size(); requestsSeen++) {
            var request = requests.get(requestsSeen);
            deliveries.attempted(request.webhookId(), endpoint(request.host()), request.nanos());
        }
    }

    @Nullable
    ReportStatus status(int report) {
        return reports.status(CommandClient.id(report));
    }

    /** Whether all accepted reports have ended and all their records have been read. */
    boolean settled() {
        return client.idle()
                && observers.stream().allMatch(TopicObserver::complete)
                && client.accepted().entrySet().stream()
                        .allMatch(accepted -> reports.ended(accepted.getKey(), accepted.getValue()))
                && deliveries.allEnded(receivers::delivered);
    }

    /** Checks what must hold some time after the end of all faults. */
    void atEnd() {
        check(client.idle(), "commands of the client are not acknowledged");
        client.accepted()
                .forEach((report, attempt) -> check(
                        reports.ended(report, attempt),
                        "accepted report %s does not end: %s",
                        report,
                        reports.status(report)));
        reports.end();
        deliveries.end(receivers::delivered);
        credits.end();
    }

    private static void undecided(String account, byte[] command) {
        check(false, "a command of %s is dead-lettered: %s", account, new String(command, UTF_8));
    }

    private static int endpoint(String host) {
        return Integer.parseInt(host.replaceAll("\\D", ""));
    }
}
