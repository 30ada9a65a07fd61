package millrace.e2e.cluster;

import java.util.List;

/** Three brokers and two of each service, each of which can be made to fail. */
interface Cluster extends AutoCloseable {
    /** The role of a part. */
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
        /** The name, which is also the instance id in consumer groups. */
        String name() {
            return role.name().toLowerCase(java.util.Locale.ROOT) + "-" + number;
        }
    }

    /** The addresses for clients: that of a load balancer, or of all gateways. */
    List<String> entrances();

    String key();

    String webhookSecret();

    /** The webhook URL for reports. */
    String webhookUrl();

    String bootstrapServers();

    /** The webhooks that have arrived until now, in order. */
    List<ReceivedWebhook> webhooks() throws Exception;

    /** Kills the part, as {@code kill -9} does. */
    void kill(Part part) throws Exception;

    /** Stops the part with SIGTERM; returns when it has ended. */
    void stop(Part part) throws Exception;

    /** Starts the part again; returns when it works. */
    void start(Part part) throws Exception;

    /** Cuts the part off from all others; it keeps running. */
    void cutOff(Part part) throws Exception;

    void rejoin(Part part) throws Exception;

    @Override
    void close() throws Exception;

    /** A webhook that arrived with a valid signature. */
    record ReceivedWebhook(String id, java.time.Instant at) {}
}
