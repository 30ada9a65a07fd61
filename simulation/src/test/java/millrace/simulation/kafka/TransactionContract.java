package millrace.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** The behaviour of Kafka's transactions that services rely on. It runs on a real broker and on the model. */
interface TransactionContract {
    ContractKafka kafka();

    @Test
    default void whatIsCommittedIsSeenAndWhatIsAbortedIsNot() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "commit-and-abort", 1);
            try (Producer<String, byte[]> producer = c.transaction("a");
                    Consumer<String, byte[]> reader = c.reader(Map.of())) {
                c.send(producer, "a", "b");
                producer.commitTransaction();
                producer.beginTransaction();
                c.send(producer, "c");
                producer.abortTransaction();
                producer.beginTransaction();
                c.send(producer, "d");
                producer.commitTransaction();
                List<ConsumerRecord<String, byte[]>> records = c.readTo(reader, 7);
                assertThat(ContractCase.values(records)).containsExactly("a", "b", "d");
                // The marker of each transaction takes an offset.
                assertThat(records.stream().map(ConsumerRecord::offset)).containsExactly(0L, 1L, 5L);
                assertThat(reader.position(c.first)).isEqualTo(7);
            }
        });
    }

    @Test
    default void anOpenTransactionHoldsBackWhatComesAfterIt() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "open", 1);
            try (Producer<String, byte[]> open = c.transaction("open");
                    Producer<String, byte[]> other = c.transaction("other");
                    Consumer<String, byte[]> committed = c.reader(Map.of());
                    Consumer<String, byte[]> all = c.reader(Map.of("isolation.level", "read_uncommitted"))) {
                c.send(open, "a");
                c.send(other, "b");
                other.commitTransaction();
                assertThat(ContractCase.values(c.readTo(all, 3))).containsExactly("a", "b");
                assertThat(committed.endOffsets(List.of(c.first))).containsEntry(c.first, 0L);
                assertThat(all.endOffsets(List.of(c.first))).containsEntry(c.first, 3L);
                assertThat(committed.poll(Duration.ofMillis(200))).isEmpty();
                open.commitTransaction();
                assertThat(ContractCase.values(c.readTo(committed, 4))).containsExactly("a", "b");
            }
        });
    }

    @Test
    default void aProducerIsFencedByTheNextOneOfItsId() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "fenced", 1);
            try (Producer<String, byte[]> zombie = c.transaction("a");
                    Producer<String, byte[]> next = c.producer("a", Map.of());
                    Consumer<String, byte[]> reader = c.reader(Map.of())) {
                c.send(zombie, "a");
                next.initTransactions();
                assertThatThrownBy(zombie::commitTransaction).isInstanceOf(ProducerFencedException.class);
                assertThatThrownBy(zombie::beginTransaction).isInstanceOf(ProducerFencedException.class);
                next.beginTransaction();
                c.send(next, "b");
                next.commitTransaction();
                assertThat(ContractCase.values(c.readTo(reader, 4))).containsExactly("b");
            }
        });
    }

    @Test
    default void aFencedProducerCannotWrite() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "zombie", 1);
            try (Producer<String, byte[]> zombie = c.transaction("a");
                    Producer<String, byte[]> next = c.producer("a", Map.of())) {
                next.initTransactions();
                c.send(zombie, "a");
                assertThatThrownBy(zombie::commitTransaction)
                        .isInstanceOfAny(InvalidProducerEpochException.class, ProducerFencedException.class);
                next.beginTransaction();
                c.send(next, "b");
                next.commitTransaction();
            }
        });
    }

    @Test
    default void aTransactionThatLastsTooLongIsAborted() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "timeout", 1);
            try (Producer<String, byte[]> slow = c.producer("a", Map.of("transaction.timeout.ms", "500"));
                    Consumer<String, byte[]> reader = c.reader(Map.of())) {
                slow.initTransactions();
                slow.beginTransaction();
                c.send(slow, "a");
                assertThat(ContractCase.values(c.readTo(reader, 2))).isEmpty();
                assertThatThrownBy(slow::commitTransaction).isInstanceOf(KafkaException.class);
            }
        });
    }

    @Test
    default void offsetsAreCommittedWithTheTransaction() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "offsets", 1);
            try (Producer<String, byte[]> producer = c.transaction("a");
                    Consumer<String, byte[]> member = c.consumer(Map.of());
                    Consumer<String, byte[]> reader = c.reader(Map.of())) {
                member.subscribe(List.of(c.topic));
                c.pollUntil(() -> !member.assignment().isEmpty(), member);
                assertThat(reader.committed(Set.of(c.first)).get(c.first)).isNull();
                producer.sendOffsetsToTransaction(
                        Map.of(c.first, new OffsetAndMetadata(5, "five")), member.groupMetadata());
                producer.abortTransaction();
                assertThat(reader.committed(Set.of(c.first)).get(c.first)).isNull();
                producer.beginTransaction();
                producer.sendOffsetsToTransaction(
                        Map.of(c.first, new OffsetAndMetadata(6, "six")), member.groupMetadata());
                producer.commitTransaction();
                assertThat(reader.committed(Set.of(c.first))).containsEntry(c.first, new OffsetAndMetadata(6, "six"));
            }
        });
    }

    @Test
    default void committedOffsetsWaitForTheTransactionThatHasPendingOnes() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "pending", 1);
            try (Producer<String, byte[]> producer = c.transaction("a");
                    Consumer<String, byte[]> member = c.consumer(Map.of());
                    Consumer<String, byte[]> reader = c.reader(Map.of())) {
                member.subscribe(List.of(c.topic));
                c.pollUntil(() -> !member.assignment().isEmpty(), member);
                producer.sendOffsetsToTransaction(
                        Map.of(c.first, new OffsetAndMetadata(5, "five")), member.groupMetadata());
                CompletableFuture<OffsetAndMetadata> asked = kafka().concurrently(
                                () -> reader.committed(Set.of(c.first)).get(c.first));
                kafka().sleep(Duration.ofMillis(400));
                assertThat(asked).isNotDone();
                producer.commitTransaction();
                assertThat(asked.join().offset()).isEqualTo(5);
            }
        });
    }

    @Test
    default void offsetsOfAStaleGenerationAreRefused() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "stale", 2);
            try (Producer<String, byte[]> producer = c.transaction("a");
                    Consumer<String, byte[]> member = c.consumer(Map.of());
                    Consumer<String, byte[]> second = c.consumer(Map.of())) {
                member.subscribe(List.of(c.topic));
                c.pollUntil(() -> member.assignment().size() == 2, member);
                ConsumerGroupMetadata stale = member.groupMetadata();
                second.subscribe(List.of(c.topic));
                c.pollUntil(
                        () -> second.assignment().size() == 1
                                && member.assignment().size() == 1,
                        member,
                        second);
                c.send(producer, "a");
                assertThatThrownBy(() ->
                                producer.sendOffsetsToTransaction(Map.of(c.first, new OffsetAndMetadata(1)), stale))
                        .isInstanceOf(CommitFailedException.class);
                assertThatThrownBy(producer::commitTransaction)
                        .isInstanceOf(KafkaException.class)
                        .hasCauseInstanceOf(CommitFailedException.class);
                producer.abortTransaction();
                producer.beginTransaction();
                c.send(producer, "b");
                producer.sendOffsetsToTransaction(Map.of(c.first, new OffsetAndMetadata(1)), member.groupMetadata());
                producer.commitTransaction();
            }
        });
    }

    @Test
    default void offsetsOfAnInstanceThatWasReplacedAreRefused() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "replaced", 1);
            Map<String, Object> instance = Map.of("group.instance.id", "a");
            try (Producer<String, byte[]> producer = c.transaction("a");
                    Consumer<String, byte[]> former = c.consumer(instance);
                    Consumer<String, byte[]> next = c.consumer(instance)) {
                former.subscribe(List.of(c.topic));
                c.pollUntil(() -> !former.assignment().isEmpty(), former);
                ConsumerGroupMetadata before = former.groupMetadata();
                next.subscribe(List.of(c.topic));
                c.pollUntil(() -> !next.assignment().isEmpty(), next);
                assertThatThrownBy(() ->
                                producer.sendOffsetsToTransaction(Map.of(c.first, new OffsetAndMetadata(1)), before))
                        .isInstanceOf(FencedInstanceIdException.class);
                producer.abortTransaction();
            }
        });
    }
}
