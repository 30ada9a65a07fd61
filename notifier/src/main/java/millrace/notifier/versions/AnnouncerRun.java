package millrace.notifier.versions;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.Topics;
import millrace.notifier.versions.Subscribers.Subscriber;
import millrace.runtime.kafka.UnreadableRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the announcer, on one thread. Whatever it writes is in one transaction with how far it has come, so each
 * announcement is in its topic once, and each subscriber has one event of it. An exception ends the run; the next one
 * goes on from what is in Kafka.
 */
final class AnnouncerRun implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncerRun.class);
    /** Bounds a transaction: an event is 1 KB, and at most 4 KB with a long URL. */
    static final int AT_ONCE = 500;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration READ = Duration.ofMillis(100);

    private final Consumer<String, byte[]> consumer;
    private final Consumer<String, byte[]> reader;
    private final Function<Collection<TopicPartition>, Map<TopicPartition, Long>> ends;
    private final Producer<String, byte[]> producer;
    private final Subscribers subscribers;
    private final InstantSource clock;
    private final Map<Integer, Owned> owned = new HashMap<>();
    private final Set<TopicPartition> assigned = new HashSet<>();

    /** A partition of this instance. */
    private static final class Owned {
        final AnnouncedVersions announced = new AnnouncedVersions();
        /** By dataset, what an account needs to see it, as the newest record says. */
        final Map<String, List<List<String>>> access = new HashMap<>();
    }

    /**
     * @param consumer a member of the group of announcers
     * @param reader in no group
     * @param ends the ends of partitions, with what open transactions have written
     */
    AnnouncerRun(
            Consumer<String, byte[]> consumer,
            Consumer<String, byte[]> reader,
            Function<Collection<TopicPartition>, Map<TopicPartition, Long>> ends,
            Producer<String, byte[]> producer,
            Subscribers subscribers,
            InstantSource clock) {
        this.consumer = consumer;
        this.reader = reader;
        this.ends = ends;
        this.producer = producer;
        this.subscribers = subscribers;
        this.clock = clock;
    }

    /** Returns once {@code stopping} is true. */
    void run(BooleanSupplier stopping) {
        producer.initTransactions();
        consumer.subscribe(List.of(Topics.DATASET_EXAMPLES.name()), this);
        while (!stopping.getAsBoolean()) {
            Iterable<ConsumerRecord<String, byte[]>> records = poll();
            takeOver();
            for (ConsumerRecord<String, byte[]> record : records) {
                Owned of = owned.get(record.partition());
                if (of != null) {
                    take(of, record);
                }
            }
        }
    }

    private Iterable<ConsumerRecord<String, byte[]>> poll() {
        try {
            return consumer.poll(POLL);
        } catch (WakeupException e) {
            return List.of(); // it is to stop
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        assigned.addAll(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        assigned.removeAll(partitions);
        partitions.forEach(partition -> owned.remove(partition.partition()));
    }

    private void takeOver() {
        if (assigned.isEmpty()) {
            return;
        }
        // First the offsets: that waits for the last transaction of the former owner, whose announcement is read then.
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed = consumer.committed(assigned);
        assigned.forEach(partition -> owned.put(partition.partition(), new Owned()));
        read(assigned.stream().map(TopicPartition::partition).toList());
        consumer.seekToBeginning(assigned);
        consumer.resume(assigned);
        assigned.clear();
        committed.forEach((partition, last) -> {
            if (last != null) {
                consumer.seek(partition, last.offset());
                FanOutPosition.parse(last.metadata())
                        .ifPresent(unfinished -> finish(partition, last.offset(), unfinished));
            }
        });
    }

    /** Reads what was announced, and who may see which dataset. */
    private void read(List<Integer> numbers) {
        List<TopicPartition> all = Stream.of(Topics.DATASET_VERSIONS, Topics.DATASET_EXAMPLES)
                .flatMap(topic -> numbers.stream().map(number -> new TopicPartition(topic.name(), number)))
                .toList();
        reader.assign(all);
        reader.seekToBeginning(all);
        // Not to the end of what is committed: behind a transaction that somebody left open, an announcement may
        // follow.
        Map<TopicPartition, Long> read = ends.apply(all);
        while (read.entrySet().stream().anyMatch(end -> reader.position(end.getKey()) < end.getValue())) {
            reader.poll(READ).forEach(this::fold);
        }
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        Owned partition = owned.get(record.partition());
        if (partition == null || record.value() == null) {
            return;
        }
        try {
            if (record.topic().equals(Topics.DATASET_VERSIONS.name())) {
                partition.announced.add(Topics.DATASET_VERSIONS.decode(record.value()));
            } else {
                DatasetExample published = Topics.DATASET_EXAMPLES.decode(record.value());
                if (published.access() != null) {
                    partition.access.put(published.dataset(), published.access());
                }
            }
        } catch (SerializationException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    /** Gives the last announcement about a dataset to the subscribers that do not have it. */
    private void finish(TopicPartition partition, long offset, FanOutPosition unfinished) {
        Owned of = owned.getOrDefault(partition.partition(), new Owned());
        DataVersionAvailable last = of.announced.newest(unfinished.dataset()).orElse(null);
        if (last != null) {
            List<Subscriber> left = subscribers(of, last).stream()
                    .filter(subscriber -> subscriber.key().compareTo(unfinished.lastKey()) > 0)
                    .toList();
            fanOut(new Progress(partition, offset, offset), null, last, left);
        }
    }

    private void take(Owned of, ConsumerRecord<String, byte[]> record) {
        try {
            if (record.value() != null) {
                take(of, record, Topics.DATASET_EXAMPLES.decode(record.value()));
            }
        } catch (SerializationException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    private void take(Owned of, ConsumerRecord<String, byte[]> record, DatasetExample published) {
        List<List<String>> access = published.access();
        if (access == null) {
            return; // of an earlier build; one of this build publishes it again when it starts
        }
        of.access.put(published.dataset(), access);
        DataVersionAvailable next =
                of.announced.next(published, clock.instant()).orElse(null);
        if (next == null) {
            return;
        }
        List<Subscriber> all = subscribers(of, next);
        var partition = new TopicPartition(record.topic(), record.partition());
        fanOut(new Progress(partition, record.offset(), record.offset() + 1), next, next, all);
        of.announced.add(next);
        LOG.info(
                "version announced dataset={} version={} change={} sequence={} webhooks={}",
                next.dataset(),
                next.version(),
                next.change().name().toLowerCase(Locale.ROOT),
                next.sequence(),
                all.size());
    }

    private List<Subscriber> subscribers(Owned of, DataVersionAvailable available) {
        return subscribers.of(DataVersionAvailable.EVENT_TYPE, of.access.getOrDefault(available.dataset(), List.of()));
    }

    /** @param announcement null if it has been written */
    private void fanOut(
            Progress progress,
            @Nullable DataVersionAvailable announcement,
            DataVersionAvailable available,
            List<Subscriber> all) {
        int done = 0;
        do {
            List<Subscriber> some = all.subList(done, Math.min(all.size(), done + AT_ONCE));
            producer.beginTransaction();
            if (announcement != null && done == 0) {
                send(announcement(announcement, progress.partition.partition()));
            }
            some.forEach(subscriber -> send(delivery(available, subscriber)));
            done += some.size();
            OffsetAndMetadata next = done == all.size()
                    ? new OffsetAndMetadata(progress.end)
                    : progress.after(new FanOutPosition(
                            available.dataset(), some.getLast().key()));
            producer.sendOffsetsToTransaction(Map.of(progress.partition, next), consumer.groupMetadata());
            producer.commitTransaction();
        } while (done < all.size());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if a send fails, the commit fails too
    private void send(ProducerRecord<String, byte[]> record) {
        producer.send(record);
    }

    /** @param partition that the dataset has in all topics */
    private static ProducerRecord<String, byte[]> announcement(DataVersionAvailable available, int partition) {
        var topic = Topics.DATASET_VERSIONS;
        return new ProducerRecord<>(
                topic.name(),
                partition,
                available.dataset(),
                topic.encode(available),
                CloudEvent.of(available, null).headers());
    }

    /**
     * The event for one webhook. Its id has a UUID made from subscription and dataset in place of a report's, so the
     * announcements about a dataset have numbers and are first sent in their order, too.
     */
    static ProducerRecord<String, byte[]> delivery(DataVersionAvailable available, Subscriber subscriber) {
        UUID id = UUID.nameUUIDFromBytes(
                (subscriber.subscriptionId() + "/" + available.dataset()).getBytes(StandardCharsets.UTF_8));
        var command = new Deliver(
                id + "." + available.sequence(),
                subscriber.accountId(),
                subscriber.url(),
                id,
                available.sequence(),
                available.occurredAt(),
                Json.text(new Notification(DataVersionAvailable.EVENT_TYPE, available)),
                CloudEvent.of(available, null).traceparent());
        return new ProducerRecord<>(Topics.DELIVERIES.name(), command.endpoint(), Topics.DELIVERIES.encode(command));
    }

    /** The body of a webhook. */
    private record Notification(String eventType, DataVersionAvailable payload) {}

    /**
     * Offsets to commit.
     *
     * @param begin while subscribers are left
     */
    private record Progress(TopicPartition partition, long begin, long end) {
        OffsetAndMetadata after(FanOutPosition position) {
            return new OffsetAndMetadata(begin, position.text());
        }
    }

    /**
     * How far the last announcement about a dataset has been given to subscribers. It is the metadata of a committed
     * offset, and changes in the transactions that give it.
     *
     * @param lastKey of the last subscriber that has it
     */
    private record FanOutPosition(String dataset, String lastKey) {
        private static final char SEPARATOR = ' ';

        String text() {
            return dataset + SEPARATOR + lastKey;
        }

        /** Empty if no announcement is under way. */
        static Optional<FanOutPosition> parse(String metadata) {
            int at = metadata.indexOf(SEPARATOR);
            return at < 0
                    ? Optional.empty()
                    : Optional.of(new FanOutPosition(metadata.substring(0, at), metadata.substring(at + 1)));
        }
    }
}
