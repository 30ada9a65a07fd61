package millrace.e2e.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.e2e.cluster.Cluster.Part;
import millrace.e2e.cluster.Cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parts of a cluster fail under load. No accepted report is lost, no credit is wrong, and every event arrives. Runs on
 * demand, with {@code -Dcluster.test=processes}, or by {@code e2e/cluster faults} on containers. {@code
 * -Dcluster.faults} selects faults.
 */
@Tag("thorough") // a cluster of brokers and processes
@EnabledIfSystemProperty(named = "cluster.test", matches = "processes|docker")
class ClusterIT {
    private static final int PER_SECOND = 3;
    /** Number of reports before, during and after the fault. */
    private static final int QUIET = 15;

    private static final int DURING = 45;
    private static final int AFTER = 15;
    /** Below this time of a report the cluster is warm. */
    private static final Duration WARM = Duration.ofMillis(300);

    private static final int MOST_ROUNDS = 7;
    private static final List<String> RECOVERY_LINES = new ArrayList<>();

    @TempDir
    static Path data;

    private static Cluster cluster;

    @BeforeAll
    static void bringUp() throws Exception {
        cluster = System.getProperty("cluster.test", "").equals("docker")
                ? new DockerCluster()
                : ProcessCluster.start(data);
        warmUp();
    }

    /**
     * Runs reports until they are quick, or for some minutes, so that the compilation of many processes on few cores is
     * not measured.
     */
    @SuppressWarnings("SystemOut") // to judge the result by
    private static void warmUp() {
        Duration usual;
        int rounds = 0;
        do {
            try (SteadyLoad load = SteadyLoad.start(cluster, "warm-up-" + Instant.now(), PER_SECOND)) {
                load.more(2 * QUIET);
                usual = RecoveryTimes.usual(load.finish());
            }
            System.out.println("warming up: " + usual.toMillis() + " ms");
        } while (usual.compareTo(WARM) > 0 && ++rounds < MOST_ROUNDS);
    }

    @AfterAll
    @SuppressWarnings("SystemOut") // it is the test's result
    static void bringDown() throws Exception {
        RECOVERY_LINES.forEach(System.out::println);
        Files.write(Path.of("target", "recovery.txt"), RECOVERY_LINES);
        cluster.close();
    }

    /** One way to fail. */
    private interface Failure {
        void happen(Cluster cluster, SteadyLoad load) throws Exception;
    }

    record Fault(String name, Failure failure) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Fault> faults() {
        String wanted = System.getProperty("cluster.faults", "");
        Stream<Fault> all = Stream.concat(
                Stream.of(Role.values()).flatMap(role -> Stream.of(stopped(role), killed(role), cutOff(role))),
                Stream.of(rolling()));
        return all.filter(
                fault -> wanted.isEmpty() || List.of(wanted.split(",")).contains(fault.name));
    }

    private static Fault killed(Role role) {
        return new Fault("kill-" + text(role), (cluster, load) -> {
            Part victim = victim(role);
            cluster.kill(victim);
            load.more(DURING);
            cluster.start(victim);
        });
    }

    private static Fault stopped(Role role) {
        return new Fault("stop-" + text(role), (cluster, load) -> {
            Part victim = victim(role);
            cluster.stop(victim);
            load.more(DURING);
            cluster.start(victim);
        });
    }

    private static Fault cutOff(Role role) {
        return new Fault("cut-off-" + text(role), (cluster, load) -> {
            Part victim = victim(role);
            cluster.cutOff(victim);
            load.more(DURING);
            cluster.rejoin(victim);
        });
    }

    private static Fault rolling() {
        return new Fault("rolling-restart", (cluster, load) -> {
            for (Role role : Role.values()) {
                for (Part part : role.all()) {
                    cluster.stop(part);
                    cluster.start(part);
                    load.more(AFTER);
                }
            }
        });
    }

    private static String text(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static Part victim(Role role) throws Exception {
        return new ServingParts(cluster, "demo").of(role);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void nothingIsLost(Fault fault) throws Exception {
        try (SteadyLoad load = SteadyLoad.start(cluster, fault + "-" + Instant.now(), PER_SECOND)) {
            load.more(QUIET);
            Instant faultAt = Instant.now();
            fault.failure.happen(cluster, load);
            load.more(AFTER);
            List<SteadyLoad.Followed> all = load.finish();
            var accounting = new AccountingChecks(cluster);
            List<String> reports = all.stream()
                    .map(followed -> Objects.requireNonNull(followed.report()))
                    .toList();
            accounting.eachChargedOnce(reports);
            Map<String, Instant> arrivals = accounting.awaitBothEvents(reports);
            var recovery = new RecoveryTimes(faultAt, all, arrivals);
            RECOVERY_LINES.add(recovery.line(fault.name(), load.unanswered()));
            recovery.write(Path.of("target", fault + ".txt"));
        }
    }
}
