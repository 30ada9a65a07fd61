package millrace.e2e;

import java.util.List;

/** Three brokers and two of each service, whose parts can be made to fail one by one. */
interface Cluster extends AutoCloseable {
    /** What there are several of. */
    enum Role {
        KAFKA(3),
        GATEWAY(2),
        PROCESSOR(2),
        NOTIFIER(2);

        private final int count;

        Role(int count) {
            this.count = count;
        }

        List<Part> all() {
            return java.util.stream.IntStream.rangeClosed(1, count)
                    .mapToObj(number -> new Part(this, number))
                    .toList();
        }
    }

    /** @param number from 1 */
    record Part(Role role, int number) {
        /** Also the instance's name in its consumer groups. */
        String name() {
            return role.name().toLowerCase(java.util.Locale.ROOT) + "-" + number;
        }
    }

    /** Addresses that a client may use: of a balancer, or of all gateways. */
    List<String> entrances();

    String key();

    String webhookSecret();

    /** Where reports send their webhooks. */
    String webhookUrl();

    String bootstrapServers();

    /** What the receiver got until now, in the order of arrival. */
    List<Told> told() throws Exception;

    /** As kill -9 does. */
    void kill(Part part) throws Exception;

    /** By SIGTERM; returns when it has ended. */
    void stop(Part part) throws Exception;

    /** Starts it again; returns when it works. */
    void start(Part part) throws Exception;

    /** It runs, and nobody hears from it. */
    void cutOff(Part part) throws Exception;

    void rejoin(Part part) throws Exception;

    @Override
    void close() throws Exception;

    /** A webhook that came, with a good signature. */
    record Told(String id, java.time.Instant at) {}
}
