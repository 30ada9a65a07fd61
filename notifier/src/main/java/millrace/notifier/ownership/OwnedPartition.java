package millrace.notifier.ownership;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import millrace.contracts.topics.Topics;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.SourceOffsets;
import millrace.notifier.delivery.UnsavedEvents;
import millrace.notifier.delivery.flow.EndpointFlow;
import millrace.notifier.delivery.flow.FlowRules;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The queues, unsaved events and source offsets of a partition that this instance owns. */
public final class OwnedPartition {
    private final int number;
    private final SourceOffsets offsets;
    private final FlowRules rules;
    private final Map<String, EndpointQueue> endpoints = new HashMap<>();
    private final UnsavedEvents unsaved = new UnsavedEvents();

    public OwnedPartition(int number, SourceOffsets offsets, FlowRules rules) {
        this.number = number;
        this.offsets = offsets;
        this.rules = rules;
    }

    public int number() {
        return number;
    }

    public TopicPartition source() {
        return new TopicPartition(Topics.DELIVERIES.name(), number);
    }

    public SourceOffsets offsets() {
        return offsets;
    }

    public OffsetAndMetadata toCommit() {
        return new OffsetAndMetadata(offsets.committed(), offsets.metadata());
    }

    public EndpointQueue endpoint(String key) {
        return endpoints.computeIfAbsent(key, k -> new EndpointQueue(k, number, new EndpointFlow(rules)));
    }

    /** The queue of an endpoint; null where nothing is known of it. */
    public @Nullable EndpointQueue known(String key) {
        return endpoints.get(key);
    }

    public Collection<EndpointQueue> queues() {
        return endpoints.values();
    }

    public void forget(EndpointQueue queue) {
        endpoints.remove(queue.key(), queue);
        queue.drop();
    }

    /** The events that are not in the state topic. */
    public UnsavedEvents unsaved() {
        return unsaved;
    }

    /** Number of events held for this partition. */
    public int held() {
        return endpoints.values().stream().mapToInt(EndpointQueue::size).sum();
    }

    void drop() {
        endpoints.values().forEach(EndpointQueue::drop);
    }
}
