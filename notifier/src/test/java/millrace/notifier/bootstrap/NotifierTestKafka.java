package millrace.notifier.bootstrap;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.NotifierClients;
import millrace.notifier.loop.WebhookSecrets;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** A broker with all topics. Tests write deliveries with it and read the records of the notifier. */
public final class NotifierTestKafka implements AutoCloseable {
    public static final String ACCOUNT = "acme";
    public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final NotifierSettings SETTINGS = settings(Map.of());
    static final int PARTITIONS = 3;

    /** The secrets of each account, the newest first. */
    final Map<String, List<String>> secrets = new ConcurrentHashMap<>(Map.of(ACCOUNT, List.of(SECRET)));

    private final String bootstrapServers;
    private final Runnable stop;
    final AtomicReference<Throwable> fatal = new AtomicReference<>();
    private final KafkaProducer<String, byte[]> producer;
    private final Map<String, TopicHistory> histories = new HashMap<>();

    NotifierTestKafka() {
        this(TestKafka.withTopics(PARTITIONS));
    }

    private NotifierTestKafka(TestKafka kafka) {
        this(kafka.bootstrapServers(), kafka::close);
    }

    /** @param stop stops the broker, which has no topics yet or those of Millrace */
    NotifierTestKafka(String bootstrapServers, Runnable stop) {
        this.bootstrapServers = bootstrapServers;
        this.stop = stop;
        TopicCreation.ensure(kafka("test"), Topics.ALL);
        producer = new KafkaProducer<>(config(), new StringSerializer(), new ByteArraySerializer());
    }

    Notifier notifier(NotifierSettings settings) {
        return notifier(settings, "test-1");
    }

    Notifier notifier(NotifierSettings settings, String instance) {
        return Notifier.start(
                settings,
                kafka(instance),
                WebhookSecrets.of(account -> secrets.getOrDefault(account, List.of())),
                new SimpleMeterRegistry(),
                fatal::set);
    }

    /** A consumer in the notifiers' group with this instance id, without a notifier. */
    Consumer<String, byte[]> member(String instance) {
        return new NotifierClients(kafka(instance), KafkaClientFactory.ofKafka()).groupMember();
    }

    /** Settings with short times, some of them replaced. */
    public static NotifierSettings settings(Map<String, String> others) {
        Map<String, String> values = new HashMap<>(Map.of(
                "notifier.deadline", "600ms",
                "notifier.retries", "150ms,300ms",
                "notifier.allowed-addresses", "127.0.0.0/8"));
        others.forEach((key, value) -> values.put("notifier." + key, value));
        return Settings.sectionOf("notifier", NotifierSettings.class, values);
    }

    static NotifierSettings retrying(Duration... pauses) {
        return settings(Map.of(
                "retries",
                java.util.Arrays.stream(pauses).map(p -> p.toMillis() + "ms").collect(Collectors.joining(",")),
                "retry-jitter-percent",
                "0"));
    }

    /** Writes an event; returns its id, {@code {report}.{sequence}}. */
    String deliver(UUID report, int sequence, String url) {
        return deliver(ACCOUNT, report, sequence, url);
    }

    String deliver(String account, UUID report, int sequence, String url) {
        DeliveryCommand.Deliver event = event(account, report, sequence, url);
        put(event);
        return event.eventId();
    }

    /** Writes so many events at once, each of a report of its own; returns their ids. */
    Set<String> deliver(int events, String url) {
        return deliver(events, i -> url);
    }

    Set<String> deliver(int events, IntFunction<String> urls) {
        Map<String, Future<?>> written = new HashMap<>();
        for (int i = 0; i < events; i++) {
            DeliveryCommand.Deliver event = event(ACCOUNT, UUID.randomUUID(), 1, urls.apply(i));
            written.put(event.eventId(), send(event.endpoint(), Topics.DELIVERIES.encode(event)));
        }
        written.values().forEach(NotifierTestKafka::await);
        return written.keySet();
    }

    /** Writes an event that is sent once more, after this number of attempts. */
    void resend(UUID report, int sequence, String url, int attempts) {
        put(new DeliveryCommand.Resend(event(ACCOUNT, report, sequence, url), attempts, Instant.now()));
    }

    void enable(String url) {
        put(new DeliveryCommand.EnableEndpoint(
                ACCOUNT, WebhookEndpoint.of(ACCOUNT, url).key(), Instant.now()));
    }

    private static DeliveryCommand.Deliver event(String account, UUID report, int sequence, String url) {
        return new DeliveryCommand.Deliver(
                report + "." + sequence,
                account,
                url,
                report,
                sequence,
                Instant.now(),
                "{\"event_type\":\"report_status_change\",\"payload\":{\"größe\":" + sequence + "}}",
                "00-00000000000000000000000000000001-0000000000000001-01");
    }

    void reinstate(String url) {
        put(new DeliveryCommand.Reinstate(ACCOUNT, url, Instant.now()));
    }

    private void put(DeliveryCommand command) {
        put(command.endpoint(), Topics.DELIVERIES.encode(command));
    }

    void put(String key, byte[] value) {
        await(send(key, value));
    }

    private Future<?> send(String key, byte[] value) {
        return producer.send(new ProducerRecord<>(Topics.DELIVERIES.name(), key, value));
    }

    private static void await(Future<?> written) {
        try {
            written.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    List<WebhookAttempt> attempts() {
        return values(Topics.WEBHOOK_ATTEMPTS);
    }

    List<WebhookAttempt> attempts(String eventId) {
        return attempts().stream().filter(a -> a.eventId().equals(eventId)).toList();
    }

    List<WebhookDeadLetter> deadLetters() {
        return values(Topics.WEBHOOK_DEAD_LETTERS);
    }

    /** The newest value of each key in the state topic, without tombstones. */
    List<DeliveryState> states() {
        Map<String, DeliveryState> newest = new java.util.LinkedHashMap<>();
        for (var record : records(Topics.DELIVERY_STATE)) {
            if (record.value() == null) {
                newest.remove(record.key());
            } else {
                newest.put(record.key(), Topics.DELIVERY_STATE.decode(record.value()));
            }
        }
        return List.copyOf(newest.values());
    }

    /** Number of members of the group that own partitions. */
    long owners() {
        return shares().stream().filter(share -> share > 0).count();
    }

    /** Number of partitions that each member of the group owns. */
    List<Integer> shares() {
        try (Admin admin = Admin.create(config())) {
            var groups = admin.describeConsumerGroups(List.of(ConsumerGroups.NOTIFIERS))
                    .all()
                    .get();
            return groups.values().stream()
                    .flatMap(group -> group.members().stream())
                    .map(member -> member.assignment().topicPartitions().size())
                    .toList();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes the group's offsets, as brokers do after a time without members. */
    void forgetOffsets() {
        try (Admin admin = Admin.create(config())) {
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> {
                        admin.deleteConsumerGroups(List.of(ConsumerGroups.NOTIFIERS))
                                .all()
                                .get();
                        return true;
                    });
        }
    }

    <V> List<V> values(Topic<V> topic) {
        return records(topic).stream().map(r -> topic.decode(r.value())).toList();
    }

    /** All committed records of a topic. */
    synchronized List<ConsumerRecord<String, byte[]>> records(Topic<?> topic) {
        return histories
                .computeIfAbsent(topic.name(), name -> new TopicHistory(config(), name))
                .read();
    }

    private KafkaSettings kafka(String instance) {
        return KafkaSettings.local(bootstrapServers, PARTITIONS, instance);
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    private Map<String, Object> config() {
        return kafka("test").clientConfig();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        histories.values().forEach(TopicHistory::close);
        stop.run();
    }
}
