package millrace.e2e.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import millrace.broker.EmbeddedKafka;

/**
 * The main class of one of three brokers. Arguments: folder, number from 1, ports of all brokers, ports of all
 * controllers.
 */
final class KafkaNode {
    private KafkaNode() {}

    @SuppressWarnings("SystemOut") // the parent waits for it
    public static void main(String[] arguments) throws Exception {
        String number = arguments[1];
        String[] brokers = arguments[2].split(",", -1);
        String[] controllers = arguments[3].split(",", -1);
        int own = Integer.parseInt(number) - 1;
        Map<String, String> overrides = new HashMap<>(failover());
        overrides.put("node.id", number);
        overrides.put("controller.quorum.voters", "1@127.0.0.1:%s,2@127.0.0.1:%s,3@127.0.0.1:%s".formatted((Object[])
                        controllers));
        overrides.put(
                "listeners", "PLAINTEXT://127.0.0.1:" + brokers[own] + ",CONTROLLER://127.0.0.1:" + controllers[own]);
        EmbeddedKafka kafka = EmbeddedKafka.start(Path.of(arguments[0]), Integer.parseInt(brokers[own]), overrides);
        var closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            kafka.close();
            closed.countDown();
        }));
        System.out.println("kafka started");
        closed.await();
    }

    /** As in docker-compose.yml. */
    private static Map<String, String> failover() {
        Map<String, String> p = new HashMap<>();
        p.put("default.replication.factor", "3");
        p.put("min.insync.replicas", "2");
        p.put("offsets.topic.replication.factor", "3");
        p.put("transaction.state.log.replication.factor", "3");
        p.put("transaction.state.log.min.isr", "2");
        p.put("offsets.topic.num.partitions", "12");
        p.put("transaction.state.log.num.partitions", "12");
        p.put("broker.session.timeout.ms", "3000");
        p.put("broker.heartbeat.interval.ms", "500");
        p.put("controller.quorum.fetch.timeout.ms", "1000");
        p.put("controller.quorum.election.timeout.ms", "500");
        p.put("replica.lag.time.max.ms", "5000");
        p.put("request.timeout.ms", "2000");
        p.put("controller.socket.timeout.ms", "2000");
        p.put("socket.connection.setup.timeout.ms", "500");
        p.put("socket.connection.setup.timeout.max.ms", "1000");
        return p;
    }
}
