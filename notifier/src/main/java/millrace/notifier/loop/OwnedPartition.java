package millrace.notifier.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.AccountUrls;
import millrace.notifier.endpoint.EndpointFlow;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.FlowRules;
import millrace.notifier.endpoint.UnsavedEvents;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The queues, unsaved events and source offsets of a partition that this instance owns. */
final class OwnedPartition {
    private final int number;
    private final SourceOffsets offsets;
    private final FlowRules rules;
    private final Map<String, EndpointQueue> endpoints = new HashMap<>();
    private final Map<String, AccountUrls> accounts = new HashMap<>();
    /** Keys of states that a former owner had too many of. */
    private final Queue<String> surplus = new ArrayDeque<>();

    private final UnsavedEvents unsaved = new UnsavedEvents();

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
        return endpoints.computeIfAbsent(
                key, k -> new EndpointQueue(k, number, new EndpointFlow(rules), urls(EndpointQueue.account(k))));
    }

    private AccountUrls urls(String account) {
        return accounts.computeIfAbsent(account, a -> new AccountUrls());
    }

    /** @param keys of states that a former owner had too many of */
    void tooMany(Collection<String> keys) {
        surplus.addAll(keys);
    }

    /** A state with this key is written, and must not be deleted any more. */
    void keep(String key) {
        surplus.remove(key);
    }

    /**
     * The keys of states that are to be deleted.
     *
     * @param most of those that a former owner had too many of
     */
    List<String> takeDeleted(int most) {
        List<String> deleted = new ArrayList<>();
        accounts.values().forEach(account -> deleted.addAll(account.takeDeleted()));
        for (int i = 0; i < most && !surplus.isEmpty(); i++) {
            deleted.add(surplus.remove());
        }
        return deleted;
    }

    /** The queue of an endpoint; null if nothing is known of it. */
    @Nullable
    EndpointQueue known(String key) {
        return endpoints.get(key);
    }

    Collection<EndpointQueue> queues() {
        return endpoints.values();
    }

    void forget(EndpointQueue queue) {
        endpoints.remove(queue.key(), queue);
        queue.forgetUrls();
        queue.drop();
    }

    /** The events that are not in the state topic. */
    UnsavedEvents unsaved() {
        return unsaved;
    }

    /** Number of events held for this partition. */
    int held() {
        return endpoints.values().stream().mapToInt(EndpointQueue::size).sum();
    }

    void drop() {
        endpoints.values().forEach(EndpointQueue::drop);
    }
}
