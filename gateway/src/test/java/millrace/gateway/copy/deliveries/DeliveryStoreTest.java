package millrace.gateway.copy.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.database.StoreException;
import millrace.gateway.copy.database.StoreFiles;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The deliveries on the disk: what a gateway goes on from, and what it makes again. */
class DeliveryStoreTest {
    private static final String TOPICS = "one{webhook-attempts=id/2}";

    private WrittenDeliveries topics = new WrittenDeliveries(new Random(1));
    private Instant now = DeliveryRecords.at(WrittenDeliveries.END);
    private final List<Gateway> gateways = new ArrayList<>();

    @TempDir
    Path root;

    @AfterEach
    void close() {
        gateways.forEach(gateway -> gateway.index.close());
    }

    /** A gateway's deliveries, and where it reads on. */
    private final class Gateway {
        private final Map<TopicPartition, Long> next = new HashMap<>();
        private Path folder;
        private DeliveryIndex index;
        private @Nullable String rebuilt;

        Gateway() {
            folder = root.resolve("gateway-" + gateways.size());
            index = DeliveryIndex.in(folder, DeliveriesOnDisk.KEEP, () -> now);
            gateways.add(this);
            open(TOPICS);
        }

        void open(String identity) {
            try {
                CopiedTopics.Opened opened = index.open(topics.state(identity));
                rebuilt = opened.rebuilt();
                next.putAll(topics.all(partition -> 0L));
                opened.positions().forEach((partition, position) -> next.put(partition, position.offset()));
                index.completed(true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void restart(String identity, Duration keep) {
            index.close();
            index = DeliveryIndex.in(folder, keep, () -> now);
            open(identity);
        }

        /** The process is gone, and another one has the files as the first one had written them until then. */
        void kill() {
            Path killed = folder;
            folder = root.resolve(folder.getFileName() + "-again");
            StoreFiles.copy(killed, folder);
            index.close();
            index = DeliveryIndex.in(folder, DeliveriesOnDisk.KEEP, () -> now);
            open(TOPICS);
        }

        Gateway all(Random random) {
            while (some(random)) {
                // More is left.
            }
            return this;
        }

        /** Folds one poll; returns false where nothing was left. */
        boolean some(Random random) {
            List<TopicPartition> waiting = new ArrayList<>(topics.records.keySet().stream()
                    .filter(p -> !rest(p).isEmpty())
                    .sorted(Comparator.comparing(TopicPartition::toString))
                    .toList());
            if (waiting.isEmpty()) {
                return false;
            }
            List<ConsumerRecord<String, byte[]>> poll = new ArrayList<>();
            Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
            for (int taken = random.nextInt(3); taken >= 0 && !waiting.isEmpty(); taken--) {
                TopicPartition partition = waiting.remove(random.nextInt(waiting.size()));
                List<ConsumerRecord<String, byte[]>> rest = rest(partition);
                List<ConsumerRecord<String, byte[]>> some = rest.subList(0, 1 + random.nextInt(rest.size()));
                poll.addAll(some);
                ConsumerRecord<String, byte[]> last = some.getLast();
                next.put(partition, last.offset() + 1);
                read.put(partition, new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), ""));
            }
            index.fold(poll, read);
            return true;
        }

        private List<ConsumerRecord<String, byte[]>> rest(TopicPartition partition) {
            return topics.records.getOrDefault(partition, List.of()).stream()
                    .filter(record -> record.offset() >= next.getOrDefault(partition, 0L))
                    .toList();
        }

        /** All answers, as text. */
        String answers() {
            var text = new StringBuilder();
            for (String account : WrittenDeliveries.ACCOUNTS) {
                text.append(index.endpoints(account, null, 100));
                for (DeliverySelection wanted : selections()) {
                    DeliveryIndex.Oldest oldest = index.oldest(account, wanted, 1000);
                    DeliveryIndex.Oldest first = index.oldest(account, wanted, 2);
                    assertThat(first.left() + first.deliveries().size())
                            .isEqualTo(oldest.deliveries().size());
                    assertThat(pages(account, wanted))
                            .isEqualTo(oldest.deliveries().stream()
                                    .map(DeliveryView::id)
                                    .toList()
                                    .reversed());
                    oldest.deliveries().forEach(d -> text.append('\n').append(told(d)));
                }
            }
            for (int n = 0; n < WrittenDeliveries.EVENTS; n++) {
                DeliveryRecords event = WrittenDeliveries.event(n);
                text.append('\n').append(index.find(event.account(), event.id()).map(DeliveryStoreTest::told));
            }
            return text.toString();
        }

        private List<DeliveryId> pages(String account, DeliverySelection wanted) {
            List<DeliveryId> ids = new ArrayList<>();
            List<DeliveryView> page = index.newest(account, wanted, null, 3).found();
            for (;
                    !page.isEmpty();
                    page = index.newest(account, wanted, page.getLast().cursor(), 3)
                            .found()) {
                ids.addAll(page.stream().map(DeliveryView::id).toList());
            }
            return ids;
        }
    }

    private static List<DeliverySelection> selections() {
        List<DeliverySelection> all = new ArrayList<>();
        all.add(new DeliverySelection(null, null, Set.of(), 0, Long.MAX_VALUE));
        String endpoint =
                WebhookEndpoint.id(WrittenDeliveries.event(0).deliver(0).endpoint());
        for (DeliveryStatus status : DeliveryStatus.values()) {
            all.add(new DeliverySelection(null, null, EnumSet.of(status), 0, Long.MAX_VALUE));
            all.add(new DeliverySelection(null, endpoint, EnumSet.of(status), 0, Long.MAX_VALUE));
        }
        return all;
    }

    private static String told(DeliveryView delivery) {
        DeliveryView.Places places = delivery.places();
        return delivery.id() + " " + delivery.occurredAt() + " " + delivery.endpoint() + " " + delivery.url() + " "
                + delivery.state() + " " + delivery.attempts() + " " + delivery.lastAttemptAt() + " "
                + delivery.nextAttemptAt() + " " + delivery.httpStatus() + " " + places.partition() + " "
                + places.delivery() + " " + Arrays.toString(places.attempts()) + " " + places.deadLetter();
    }

    // Going on

    /** Whenever it is killed, and however the topics interleave: the rows are those of one fold from the beginning. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void isAsFoldedFromTheBeginningAfterEveryKill(int seed) {
        var random = new Random(seed);
        topics = new WrittenDeliveries(random);
        String answers = new Gateway().all(new Random(0)).answers();
        assertThat(answers).contains("WAITING", "FAILED", "DELIVERED", "DEAD");
        var gateway = new Gateway();
        while (gateway.some(random)) {
            String before = gateway.answers();
            gateway.kill();
            assertThat(gateway.rebuilt).isNull();
            assertThat(gateway.answers()).isEqualTo(before);
        }
        assertThat(gateway.answers()).isEqualTo(answers);
    }

    /** One resends, and knows it before it has read it; a kill later it does still. The other one reads it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tellsTheSameAtTwoGateways(int seed) {
        var random = new Random(seed);
        var one = new Gateway().all(random);
        var other = new Gateway();
        DeliveryRecords event = WrittenDeliveries.event(0);
        DeliveryView before = one.index.find(event.account(), event.id()).orElseThrow();
        int partition = before.places().partition();
        List<ConsumerRecord<String, byte[]>> deliveries =
                Objects.requireNonNull(topics.records.get(new TopicPartition(Topics.DELIVERIES.name(), partition)));
        int occurred =
                Math.toIntExact((before.occurredAt() - DeliveryRecords.at(0).toEpochMilli()) / 1000);
        Resend resend = event.resend(occurred, before.attempts(), WrittenDeliveries.END);
        int offset = deliveries.size();
        one.index.resent(List.of(new DeliveryIndex.Resent(resend, partition, offset)));
        DeliveryView after = one.index.find(event.account(), event.id()).orElseThrow();
        assertThat(after.state()).isEqualTo(DeliveryStatus.WAITING);
        assertThat(after.places().delivery()).isEqualTo(offset);
        deliveries.add(DeliveriesOnDisk.record(Topics.DELIVERIES, partition, offset, resend, topics.epoch));
        String answers = one.answers();
        one.kill();
        assertThat(one.answers()).isEqualTo(answers);
        assertThat(one.all(random).answers()).isEqualTo(answers);
        assertThat(other.all(random).answers()).isEqualTo(answers);
    }

    @Test
    void goesOnWhereItStopped() {
        var gateway = new Gateway();
        var unused = gateway.some(new Random(1));
        Map<TopicPartition, Long> before = Map.copyOf(gateway.next);
        gateway.restart(TOPICS, DeliveriesOnDisk.KEEP);
        assertThat(gateway.rebuilt).isNull();
        assertThat(gateway.next).isEqualTo(before);
    }

    // What it does not trust

    @Test
    void isMadeAgainForOtherTopics() {
        var gateway = new Gateway().all(new Random(1));
        String answers = gateway.answers();
        gateway.restart("two{webhook-attempts=id/2}", DeliveriesOnDisk.KEEP);
        isMadeAgain(gateway, "it is of other topics", answers);
    }

    /** It has what is kept; where that is more than when it was made, or the clock was ahead, it is not all there. */
    @ParameterizedTest
    @CsvSource({"PT168H, ", "PT1H, ", "PT192H, it begins on 2026-10-30"})
    void isMadeAgainWhereMoreIsKept(Duration keep, @Nullable String why) {
        var gateway = new Gateway();
        String answers = gateway.all(new Random(1)).answers();
        gateway.restart(TOPICS, keep);
        if (why == null) {
            assertThat(gateway.rebuilt).isNull();
        } else {
            assertThat(gateway.rebuilt).startsWith(why);
            assertThat(gateway.all(new Random(2)).answers()).isEqualTo(answers);
        }
    }

    @ParameterizedTest
    @CsvSource({"PT30M, ", "P2D, it begins on 2026-11-01"})
    void isMadeAgainWhereTheClockWasAhead(Duration ahead, @Nullable String why) {
        var gateway = new Gateway();
        String answers = gateway.all(new Random(1)).answers();
        now = now.plus(ahead);
        gateway.index.fold(List.of(), Map.of()); // deletes what is too old by then
        now = now.minus(ahead);
        if (why == null) {
            gateway.index.fold(List.of(), Map.of());
            assertThat(gateway.answers()).isEqualTo(answers);
        } else {
            assertThatThrownBy(() -> gateway.index.fold(List.of(), Map.of()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith(why);
            gateway.open(TOPICS);
            assertThat(gateway.all(new Random(2)).answers()).isEqualTo(answers);
        }
    }

    /** Before the clock of a machine is set, nothing is deleted because of it. */
    @Test
    void waitsForAClock() {
        var gateway = new Gateway();
        String answers = gateway.all(new Random(1)).answers();
        Instant right = now;
        now = Instant.EPOCH;
        assertThatThrownBy(() -> gateway.index.fold(List.of(), Map.of()))
                .hasMessage("this gateway's clock is wrong: 1970-01-01T00:00:00Z");
        assertThatThrownBy(() -> gateway.open(TOPICS)).isInstanceOf(StoreException.class);
        now = right;
        gateway.open(TOPICS);
        assertThat(gateway.rebuilt).isNull();
        assertThat(gateway.answers()).isEqualTo(answers);
    }

    /** As where the consumer goes back to where the log has diverged. */
    @Test
    void isMadeAgainWhereItIsNotToBeTrusted() {
        var gateway = new Gateway().all(new Random(1));
        String answers = gateway.answers();
        StoreException thrown = gateway.index.store().distrust("webhook-attempts-0 went back");
        assertThatThrownBy(gateway::answers).isSameAs(thrown);
        gateway.open(TOPICS);
        isMadeAgain(gateway, "webhook-attempts-0 went back", answers);
    }

    private static void isMadeAgain(Gateway gateway, String why, String answers) {
        assertThat(gateway.rebuilt).isEqualTo(why);
        assertThat(gateway.all(new Random(2)).answers()).isEqualTo(answers);
    }

    @Test
    void belongsToOneProcess() {
        var gateway = new Gateway();
        assertThatThrownBy(() -> DeliveryIndex.in(gateway.folder, DeliveriesOnDisk.KEEP, () -> now))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("gateway.deliveries.directory: ")
                .hasMessageEndingWith("is used by another process; each gateway needs a folder of its own");
    }

    /** Until everything is read there is no answer, rather than that there is nothing. */
    @Test
    void answersNothingUntilItIsComplete() throws IOException {
        var gateway = new Gateway().all(new Random(1));
        DeliveryId id = WrittenDeliveries.event(0).id();
        assertThat(gateway.index.find("acme", id)).isPresent();
        var unused = gateway.index.open(topics.state("others"));
        assertThatThrownBy(() -> gateway.index.find("acme", id))
                .isInstanceOf(StoreException.class)
                .hasMessage("the deliveries are still being read");
    }
}
