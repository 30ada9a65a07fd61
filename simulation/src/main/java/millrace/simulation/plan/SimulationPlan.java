package millrace.simulation.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The actions of one simulation, ordered by time. The plan follows from the seed. A shortened plan keeps the seed,
 * which also decides about the order of threads.
 */
public record SimulationPlan(long seed, List<PlannedAction> actions) {
    public static final List<String> ACCOUNTS = List.of("acme", "globex");
    public static final int ENDPOINTS = 2;
    /** Clients and faults end at this time; accepted reports must end soon afterwards. */
    static final Duration ACTIVE = Duration.ofSeconds(8);

    private static final int REPORTS = 8;
    private static final int FAULTS = 6;
    private static final int CLOCKS = 3;
    private static final int HOUR = 3_600_000;
    /** One of so many plans that may have a deadly report has one. */
    private static final int ONE_DEADLY_OF = 3;

    private static final int ONE_ERASED_OF = 6;

    public SimulationPlan {
        actions = List.copyOf(actions);
    }

    public static SimulationPlan of(long seed) {
        // Not the scheduler's random numbers, since a shortened plan must not change what the scheduler draws.
        RandomGenerator random = new SplittableRandom(seed * 31 + 7);
        List<PlannedAction> actions = new ArrayList<>();
        ACCOUNTS.forEach(account -> actions.add(
                new PlannedAction.Grant(Duration.ZERO, account, random.nextLong(100, 2_000), random.nextInt(4) == 0)));
        requests(random, actions);
        int faults = random.nextInt(FAULTS + 1);
        for (int i = 0; i < faults; i++) {
            actions.add(fault(random));
        }
        int clocks = random.nextInt(CLOCKS + 1);
        for (int i = 0; i < clocks; i++) {
            actions.add(new PlannedAction.SetClock(
                    time(random), pick(random, List.of(ServiceName.values())), millis(random, -HOUR, HOUR)));
        }
        erasures(seed, actions);
        actions.sort(Comparator.comparing(PlannedAction::at));
        return new SimulationPlan(seed, actions);
    }

    /** The plan without the actions from {@code from} to {@code to}, exclusive. */
    public SimulationPlan without(int from, int to) {
        List<PlannedAction> fewer = new ArrayList<>(actions);
        fewer.subList(from, to).clear();
        return new SimulationPlan(seed, fewer);
    }

    private static void requests(RandomGenerator random, List<PlannedAction> actions) {
        int reports = random.nextInt(2, REPORTS + 1);
        boolean deadly = random.nextInt(ONE_DEADLY_OF) == 0;
        for (int report = 0; report < reports; report++) {
            Duration at = time(random);
            ReportKind kind = deadly && report == 0 ? ReportKind.DEADLY : kind(random);
            int endpoint = random.nextInt(-1, ENDPOINTS);
            actions.add(new PlannedAction.Request(
                    at, report, pick(random, ACCOUNTS), kind, endpoint, random.nextInt(8) == 0));
            if (random.nextInt(10) == 0) {
                actions.add(new PlannedAction.Cancel(at.plus(time(random)), report));
            }
            if (kind.mayFail() && random.nextInt(2) == 0) {
                actions.add(new PlannedAction.Retry(at.plusSeconds(random.nextInt(5, 20)), report));
            }
        }
    }

    /**
     * With random numbers of their own, so that the rest of a plan is as it was without them. A report that is retried is
     * not erased: its client would not know whether it ends.
     */
    private static void erasures(long seed, List<PlannedAction> actions) {
        RandomGenerator random = new SplittableRandom(seed * 31 + 8);
        Set<Integer> retried = new HashSet<>();
        List<PlannedAction.Request> requests = new ArrayList<>();
        for (PlannedAction action : actions) {
            if (action instanceof PlannedAction.Retry retry) {
                retried.add(retry.report());
            } else if (action instanceof PlannedAction.Request request) {
                requests.add(request);
            }
        }
        for (PlannedAction.Request request : requests) {
            if (random.nextInt(ONE_ERASED_OF) == 0 && !retried.contains(request.report())) {
                actions.add(new PlannedAction.Erase(request.at().plus(time(random)), request.report()));
            }
        }
    }

    private static ReportKind kind(RandomGenerator random) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3, 4 -> ReportKind.SMALL;
            case 5, 6 -> ReportKind.LARGE;
            case 7 -> ReportKind.LONG;
            case 8 -> ReportKind.FLAKY;
            default -> ReportKind.FAILING;
        };
    }

    private static PlannedAction fault(RandomGenerator random) {
        Duration at = time(random);
        ServiceName service = pick(random, List.of(ServiceName.values()));
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> new PlannedAction.Kill(at, service, millis(random, 100, 12_000));
            case 3 -> new PlannedAction.Pause(at, service, millis(random, 1_000, 15_000));
            case 4 -> new PlannedAction.Restart(at, service, millis(random, 100, 5_000));
            case 5 -> new PlannedAction.BrokerUnavailable(at, millis(random, 200, 4_000));
            case 6 ->
                new PlannedAction.LostAcknowledgements(at, random.nextDouble(0.05, 0.5), millis(random, 500, 5_000));
            case 7 -> new PlannedAction.SlowNetwork(at, millis(random, 10, 200), millis(random, 500, 5_000));
            default ->
                new PlannedAction.Receiver(
                        at, random.nextInt(ENDPOINTS), pick(random, List.of(ReceiverCondition.values())));
        };
    }

    private static <T> T pick(RandomGenerator random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static Duration time(RandomGenerator random) {
        return Duration.ofNanos(random.nextLong(ACTIVE.toNanos()));
    }

    private static Duration millis(RandomGenerator random, int from, int to) {
        return Duration.ofMillis(random.nextInt(from, to));
    }
}
