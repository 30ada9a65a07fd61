package millrace.gateway.api.webhooks;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.PartitionEnds;
import millrace.gateway.copy.deliveries.DeliveryId;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliveryReader;
import millrace.gateway.copy.deliveries.DeliveryView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.runtime.kafka.FoldedOffsets;

/** Finds an account's delivery, also one that was written just now. */
@Singleton
final class DeliveryFinder {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final DeliveryIndex index;
    private final DeliveryReader reader;
    private final FoldedOffsets foldedOffsets;
    private final PartitionEnds ends;

    DeliveryFinder(DeliveryIndex index, DeliveryReader reader, FoldedOffsets foldedOffsets, PartitionEnds ends) {
        this.index = index;
        this.reader = reader;
        this.foldedOffsets = foldedOffsets;
        this.ends = ends;
    }

    /** @throws RefusedException while this gateway is still reading the deliveries */
    void requireReady() {
        if (!reader.caughtUp()) {
            throw new RefusedException(JsonResponses.unavailable(
                    ProblemCode.GATEWAY_STARTING, "This gateway is still reading the deliveries; try again."));
        }
    }

    /**
     * Finds a delivery by its id. If it is not known, blocks up to a second.
     *
     * @throws RefusedException if the account has no such delivery, or that cannot be found out
     */
    DeliveryView find(String accountId, String text) throws InterruptedException {
        requireReady();
        DeliveryId id = DeliveryId.parse(text).orElseThrow(DeliveryFinder::missing);
        Optional<DeliveryView> known = index.find(accountId, id);
        if (known.isEmpty()) {
            if (!ends.awaitRead(Topics.DELIVERIES.ends(reader.partitions()).keySet(), foldedOffsets, TIMEOUT)) {
                throw new RefusedException(JsonResponses.unavailable(
                        ProblemCode.KAFKA_UNAVAILABLE, "This gateway cannot read what is new; try again."));
            }
            known = index.find(accountId, id);
        }
        return known.orElseThrow(DeliveryFinder::missing);
    }

    private static RefusedException missing() {
        return new RefusedException(
                ProblemCode.DELIVERY_NOT_FOUND,
                "id: the account has no such delivery, or it is not remembered any more.");
    }
}
