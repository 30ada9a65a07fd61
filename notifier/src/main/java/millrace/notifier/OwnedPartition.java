package millrace.notifier;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import millrace.contracts.Topics;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.Flow;
import millrace.notifier.delivery.FlowRules;
import millrace.notifier.delivery.SourceOffsets;
import millrace.notifier.delivery.Unsaved;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What this instance knows of one partition of the deliveries while it owns it. */
final class OwnedPartition {
    private final int number;
    private final SourceOffsets offsets;
    private final FlowRules rules;
    private final Map<String, EndpointQueue> endpoints = new HashMap<>();
    private final Unsaved unsaved = new Unsaved();

    OwnedPartition(int number, SourceOffsets offsets, FlowRules rules) {
        this.number = number;
        this.offsets = offsets;
        this.rules = rules;
    }

    int number() {
        return number;
    }

    TopicPartition source() {
        return new TopicPartition(Topics.DELIVERIES.name(), number);
    }

    SourceOffsets offsets() {
        return offsets;
    }

    OffsetAndMetadata toCommit() {
        return new OffsetAndMetadata(offsets.committed(), offsets.metadata());
    }

    EndpointQueue endpoint(String key) {
        return endpoints.computeIfAbsent(key, k -> new EndpointQueue(k, number, new Flow(rules)));
    }

    Collection<EndpointQueue> queues() {
        return endpoints.values();
    }

    void forget(EndpointQueue queue) {
        endpoints.remove(queue.key(), queue);
        queue.drop();
    }

    /** Its events that only the source has. */
    Unsaved unsaved() {
        return unsaved;
    }

    /** Events that are held for this partition. */
    int held() {
        return endpoints.values().stream().mapToInt(EndpointQueue::size).sum();
    }

    void drop() {
        endpoints.values().forEach(EndpointQueue::drop);
    }
}
