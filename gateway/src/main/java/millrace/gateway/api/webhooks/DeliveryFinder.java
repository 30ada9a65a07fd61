package millrace.gateway.api.webhooks;

import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.PartitionEnds;
import millrace.gateway.copy.deliveries.DeliveryId;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliveryReader;
import millrace.gateway.copy.deliveries.DeliveryView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.runtime.kafka.FoldedOffsets;
import org.apache.kafka.common.TopicPartition;

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

    sealed interface Found {
        record Delivery(DeliveryView view) implements Found {}

        record Missing(MutableHttpResponse<byte[]> answer) implements Found {}
    }

    /** A 503 response while this gateway is still reading the deliveries, else empty. */
    Optional<MutableHttpResponse<byte[]>> ready() {
        return reader.caughtUp()
                ? Optional.empty()
                : Optional.of(JsonResponses.unavailable(
                        ProblemCode.GATEWAY_STARTING, "This gateway is still reading the deliveries; try again."));
    }

    /** Finds a delivery by its id. Where it is not known, blocks up to a second. */
    Found find(String accountId, String text) throws InterruptedException {
        Optional<MutableHttpResponse<byte[]>> unready = ready();
        if (unready.isPresent()) {
            return new Found.Missing(unready.get());
        }
        Optional<DeliveryId> id = DeliveryId.parse(text);
        if (id.isEmpty()) {
            return missing();
        }
        Optional<DeliveryView> known = index.find(accountId, id.get());
        if (known.isEmpty()) {
            if (!readToEnd()) {
                return new Found.Missing(JsonResponses.unavailable(
                        ProblemCode.KAFKA_UNAVAILABLE, "This gateway cannot read what is new; try again."));
            }
            known = index.find(accountId, id.get());
        }
        return known.<Found>map(Found.Delivery::new).orElseGet(DeliveryFinder::missing);
    }

    /** Waits until every record that is in the topic now has been folded. */
    private boolean readToEnd() throws InterruptedException {
        try {
            Map<TopicPartition, Long> all = ends.ends(
                            Topics.DELIVERIES.ends(reader.partitions()).keySet())
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return foldedOffsets.await(
                    () -> all.entrySet().stream()
                            .allMatch(end -> foldedOffsets.hasReached(end.getKey(), end.getValue())),
                    TIMEOUT);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static Found missing() {
        return new Found.Missing(JsonResponses.problem(
                ProblemCode.DELIVERY_NOT_FOUND,
                "id: the account has no such delivery, or it is not remembered any more."));
    }
}
