package millrace.gateway.admin;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.readmodel.ReadModel;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads what happened to an account from the topics that tell of it, when somebody asks. */
public final class AccountHistory {
    private static final int LIMIT = 50;
    private static final int MOST = 1000;
    /** Of the account's partition, which it shares with others: more would take seconds. */
    private static final int NEWEST_RECORDS = 200_000;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaSettings kafka;
    private final ReadModel model;

    public AccountHistory(KafkaSettings kafka, ReadModel model) {
        this.kafka = kafka;
        this.model = model;
    }

    /** @param history the newest first */
    private record Credits(
            long remaining,
            @Nullable Long granted,
            @Nullable Long reserved,
            @Nullable Long used,
            List<LedgerEntry> history) {}

    private record Audit(List<AccountAudit> audit) {}

    Answer credits(Call call) {
        return limited(call, limit -> {
            String id = call.part("id");
            Optional<AccountState> state = model.balance(id);
            return Answer.ok(new Credits(
                    model.remaining(id),
                    state.map(AccountState::granted).orElse(null),
                    state.map(AccountState::reserved).orElse(null),
                    state.map(AccountState::used).orElse(null),
                    newest(Topics.CREDIT_LEDGER, id, limit)));
        });
    }

    Answer audit(Call call) {
        return limited(call, limit -> Answer.ok(new Audit(newest(Topics.ACCOUNT_AUDIT, call.part("id"), limit))));
    }

    private static Answer limited(Call call, java.util.function.IntFunction<Answer> answer) {
        String text = call.query().getOrDefault("limit", Integer.toString(LIMIT));
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST) {
            return Answer.problem(400, "limit: must be a whole number from 1 to " + MOST + ".");
        }
        try {
            return answer.apply(Integer.parseInt(text));
        } catch (KafkaException e) {
            return Answer.problem(503, "Kafka did not answer in time; try again.");
        }
    }

    private <V> List<V> newest(Topic<V> topic, String accountId, int limit) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-account-history");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5000);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(PATIENCE.toMillis()));
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            int partitions = consumer.partitionsFor(topic.name()).size();
            var partition = new TopicPartition(topic.name(), Topic.partition(accountId, partitions));
            List<V> values = new ArrayList<>();
            newest(consumer, partition, accountId, limit, PATIENCE).forEach(value -> values.add(topic.decode(value)));
            return values;
        }
    }

    /**
     * The account's values among the newest records of the partition, the newest first.
     *
     * @throws TimeoutException where Kafka does not send them in this time
     */
    static Collection<byte[]> newest(
            Consumer<String, byte[]> consumer,
            TopicPartition partition,
            String accountId,
            int limit,
            Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<TopicPartition> one = List.of(partition);
        consumer.assign(one);
        long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
        long begin = consumer.beginningOffsets(one).getOrDefault(partition, 0L);
        consumer.seek(partition, Math.max(begin, end - NEWEST_RECORDS));
        Deque<byte[]> found = new ArrayDeque<>();
        while (consumer.position(partition) < end) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(partition + " could not be read within " + timeout);
            }
            for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                if (accountId.equals(record.key()) && record.value() != null) {
                    found.addFirst(record.value());
                    while (found.size() > limit) {
                        found.removeLast();
                    }
                }
            }
        }
        return found;
    }
}
