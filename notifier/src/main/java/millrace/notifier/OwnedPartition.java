package millrace.notifier;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import millrace.contracts.Topics;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.Flow;
import millrace.notifier.delivery.FlowRules;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.SourceOffsets;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What this instance knows of one partition of the deliveries while it owns it. */
final class OwnedPartition {
    private final int number;
    private final SourceOffsets offsets;
    private final FlowRules rules;
    private final Map<String, EndpointQueue> endpoints = new HashMap<>();
    /** Events whose source offset is open, in the order of their arrival; some have ended since. */
    private final Deque<Unsaved> unsaved = new ArrayDeque<>();

    /** @param arrivedAt milliseconds since the epoch */
    record Unsaved(EndpointQueue queue, HeldEvent event, long arrivedAt) {}

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

    void arrived(EndpointQueue queue, HeldEvent event, long now) {
        unsaved.add(new Unsaved(queue, event, now));
    }

    /** The arrival of the oldest event that only the source has; {@link Long#MAX_VALUE}: none. */
    long oldestUnsaved() {
        for (Unsaved head = unsaved.peek(); head != null; head = unsaved.peek()) {
            if (!head.event().ended() && !head.event().saved()) {
                return head.arrivedAt();
            }
            unsaved.remove();
        }
        return Long.MAX_VALUE;
    }

    /** Hands out, once, each event that arrived until then and that only the source has. */
    void unsavedUntil(long arrival, Consumer<Unsaved> save) {
        while (oldestUnsaved() <= arrival) {
            save.accept(unsaved.remove());
        }
    }

    /** Events that are held for this partition. */
    int held() {
        return endpoints.values().stream().mapToInt(EndpointQueue::size).sum();
    }

    void drop() {
        endpoints.values().forEach(EndpointQueue::drop);
    }
}
