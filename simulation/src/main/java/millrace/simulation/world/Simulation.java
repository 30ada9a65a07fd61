package millrace.simulation.world;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.invariants.InvariantViolated;
import millrace.simulation.invariants.StateInvariants;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.ServiceName;
import millrace.simulation.plan.SimulationPlan;

/** One run of a plan: starts the services, performs the actions, and waits until all accepted reports have ended. */
final class Simulation {
    private static final int PARTITIONS = 3;
    /** Topics that only notifiers write. */
    private static final List<Topic<?>> OF_NOTIFIERS =
            List.of(Topics.DELIVERY_STATE, Topics.ENDPOINT_STATE, Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS);

    private static final Duration START = Duration.ofSeconds(30);
    /** Time for several leases, webhook retries and probes. */
    private static final Duration SETTLING = Duration.ofMinutes(5);

    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int TRACE = 200;

    private Simulation() {}

    static SimulationResult run(long seed) {
        return run(SimulationPlan.of(seed));
    }

    static SimulationResult run(SimulationPlan plan) {
        try (var scheduler = new Scheduler(plan.seed())) {
            String failure = null;
            try {
                run(plan, scheduler);
            } catch (RuntimeException | AssertionError e) {
                failure = describe(e);
            }
            return new SimulationResult(
                    plan,
                    failure,
                    scheduler.trace().hash(),
                    Duration.ofNanos(scheduler.nanos()),
                    scheduler.trace().tail(TRACE));
        }
    }

    private static void run(SimulationPlan plan, Scheduler scheduler) {
        var kafka = new SimulatedKafka(scheduler);
        OF_NOTIFIERS.forEach(topic -> kafka.createTopic(topic.name(), PARTITIONS));
        var receivers = new SimulatedReceivers(scheduler, SimulatedServices.NOTIFIER.deadline());
        Map<UUID, Integer> interrupted = new HashMap<>();
        Map<ServiceName, SupervisedService> services = SimulatedServices.of(
                scheduler, kafka, receivers, PARTITIONS, report -> interrupted.merge(report, 1, Integer::sum));
        services.values().forEach(SupervisedService::start);
        await(
                scheduler,
                () -> services.values().stream().allMatch(SupervisedService::ready),
                START,
                "the services are not ready");

        var client = new CommandClient(scheduler, kafka);
        var invariants = new Invariants(
                scheduler, kafka, PARTITIONS, client, receivers, plan, report -> interrupted.getOrDefault(report, 0));
        scheduler.afterEachStep(invariants::afterStep);
        var faults = new FaultInjector(scheduler, services, receivers, kafka.network());
        for (PlannedAction action : plan.actions()) {
            scheduler.after(action.at(), () -> perform(action, client, invariants, scheduler, faults));
        }
        Duration last = plan.actions().isEmpty()
                ? Duration.ZERO
                : plan.actions().getLast().at();
        scheduler.run(() -> false, last.plusSeconds(1));
        faults.end();
        settle(scheduler, invariants::settled);
        invariants.atEnd();
        StateInvariants.end(kafka, PARTITIONS);
    }

    /**
     * Runs until everything has been settled for a while, since the topics of one transaction are read at different
     * times.
     */
    static void settle(Scheduler scheduler, BooleanSupplier settled) {
        Duration quiet = Duration.ZERO;
        for (Duration waited = Duration.ZERO;
                quiet.compareTo(QUIET) < 0 && waited.compareTo(SETTLING) < 0;
                waited = waited.plus(LOOK)) {
            scheduler.run(() -> false, LOOK);
            quiet = settled.getAsBoolean() ? quiet.plus(LOOK) : Duration.ZERO;
        }
    }

    private static void perform(
            PlannedAction action,
            CommandClient client,
            Invariants invariants,
            Scheduler scheduler,
            FaultInjector faults) {
        scheduler.trace().add(action.toString());
        switch (action) {
            case PlannedAction.Grant grant -> client.grant(grant);
            case PlannedAction.Request request -> client.request(request, scheduler.now());
            case PlannedAction.Retry retry -> client.retry(retry, invariants.status(retry.report()));
            case PlannedAction.Cancel cancel -> client.cancel(cancel);
            case PlannedAction.Erase erase -> client.erase(erase);
            case PlannedAction.Kill _,
                    PlannedAction.Pause _,
                    PlannedAction.Restart _,
                    PlannedAction.SetClock _,
                    PlannedAction.BrokerUnavailable _,
                    PlannedAction.LostAcknowledgements _,
                    PlannedAction.SlowNetwork _,
                    PlannedAction.Receiver _ -> faults.inject(action);
        }
    }

    private static void await(Scheduler scheduler, BooleanSupplier condition, Duration atMost, String otherwise) {
        for (Duration waited = Duration.ZERO; !condition.getAsBoolean(); waited = waited.plus(LOOK)) {
            InvariantViolated.check(waited.compareTo(atMost) < 0, "%s", otherwise);
            scheduler.run(() -> false, LOOK);
        }
    }

    /** The message of a violated invariant; for other errors also where they come from. */
    private static String describe(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof InvariantViolated || root instanceof AssertionError) {
            return String.valueOf(root.getMessage());
        }
        StackTraceElement[] stack = root.getStackTrace();
        return root + (stack.length == 0 ? "" : " at " + stack[0]);
    }
}
