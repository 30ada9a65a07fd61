package millrace.processor.repartition;

import java.util.OptionalInt;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.state.StoreKeys;

/** Says in which partition of a topic the records of a key are. */
@FunctionalInterface
interface Placement {
    /** By the hash of the key, as Kafka's default partitioner has it. */
    Placement BY_KEY = (key, partitions) -> OptionalInt.of(Topic.partition(key, partitions));

    /**
     * By the endpoint, {@code {account}|{scheme}://{host}:{port}}, with which the key begins; another {@code |} and the
     * event or URL follow.
     */
    Placement BY_ENDPOINT = (key, partitions) -> {
        int end = key.indexOf('|', key.indexOf('|') + 1);
        if (end < 0) {
            throw new IllegalArgumentException("no endpoint in the key " + key);
        }
        return OptionalInt.of(Topic.partition(key.substring(0, end), partitions));
    };

    /** By the account whose state it is. */
    Placement OF_LEDGER = (key, partitions) -> StoreKeys.account(key)
            .map(account -> OptionalInt.of(Topic.partition(account, partitions)))
            .orElseGet(OptionalInt::empty);

    /**
     * The partition; empty if the record is about its partition itself.
     *
     * @throws IllegalArgumentException if the key is not one of this topic
     */
    OptionalInt of(String key, int partitions);

    /** That of a topic. */
    static Placement in(String topic) {
        if (topic.equals(Topics.LEDGER_CHANGELOG)) {
            return OF_LEDGER;
        }
        return topic.equals(Topics.DELIVERY_STATE.name()) ? BY_ENDPOINT : BY_KEY;
    }
}
