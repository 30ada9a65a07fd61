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
import millrace.webhook.WebhookSigner;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The accounts, queues, unsaved events and source offsets of a partition that this instance owns. */
final class OwnedPartition {
    private final int number;
    private final SourceOffsets offsets;
    private final FlowRules rules;
    private final Map<String, EndpointQueue> endpoints = new HashMap<>();
    private final Map<String, Account> accounts = new HashMap<>();
    /** Keys of states that a former owner had too many of, and of accounts that are forgotten. */
    private final Queue<String> surplus = new ArrayDeque<>();

    private final UnsavedEvents unsaved = new UnsavedEvents();

    /** What its endpoints in this partition share; it goes with the last of them. */
    private static final class Account {
        private final AccountUrls urls = new AccountUrls();
        private int endpoints;
        private List<String> secrets = List.of();
        private @Nullable WebhookSigner signer;
    }

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
        return endpoints.computeIfAbsent(key, k -> {
            Account account = account(EndpointQueue.account(k));
            account.endpoints++;
            return new EndpointQueue(k, number, new EndpointFlow(rules), account.urls);
        });
    }

    private Account account(String name) {
        return accounts.computeIfAbsent(name, a -> new Account());
    }

    /**
     * The signer of the endpoint's account, kept as long as the secrets are these.
     *
     * @throws IllegalArgumentException if it cannot sign with them
     */
    WebhookSigner signer(EndpointQueue queue, List<String> secrets) {
        Account account = account(queue.account());
        WebhookSigner known = account.signer;
        if (known == null || !account.secrets.equals(secrets)) {
            known = WebhookSigner.of(secrets);
            account.signer = known;
            account.secrets = secrets;
        }
        return known;
    }

    /** Number of accounts of which something is remembered. */
    int accounts() {
        return accounts.size();
    }

    /** @param keys of states that are to be deleted, some at a time */
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
     * @param most of those that {@link #tooMany} was told
     */
    List<String> takeDeleted(int most) {
        List<String> deleted = new ArrayList<>();
        accounts.values().forEach(account -> deleted.addAll(account.urls.takeDeleted()));
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
        queue.forgetUrls();
        queue.drop();
        if (endpoints.remove(queue.key(), queue)) {
            Account account = account(queue.account());
            account.endpoints--;
            if (account.endpoints == 0) {
                accounts.remove(queue.account());
                tooMany(account.urls.takeDeleted());
            }
        }
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
