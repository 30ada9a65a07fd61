package millrace.gateway.webhooks.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.gateway.paging.PageScan;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeliveryIndexTest {
    private static final DeliverySelection ANY = new DeliverySelection(null, null, Set.of(), 0, Long.MAX_VALUE);
    private static final DeliveryRecords EVENT = DeliveryRecords.of("acme", 1);

    private final DeliveryIndex index = new DeliveryIndex(1000);

    /** Folds a record. */
    interface Line extends Consumer<DeliveryIndex> {}

    /** @param records in the order in which they are written */
    record Story(String what, DeliveryStatus state, int attempts, List<Line> records) {
        static Story of(String what, DeliveryStatus state, int attempts, Line... records) {
            return new Story(what, state, attempts, List.of(records));
        }

        @Override
        public String toString() {
            return what;
        }
    }

    static List<Story> stories() {
        Line arrived = i -> i.deliver(EVENT.deliver(0), 2, 7);
        Line resent = i -> i.resend(EVENT.resend(2, 100), 2, 9);
        return List.of(
                Story.of("new", DeliveryStatus.WAITING, 0, arrived),
                Story.of("delivered", DeliveryStatus.DELIVERED, 1, arrived, attempt(1, Outcome.DELIVERED)),
                Story.of("failed once", DeliveryStatus.FAILED, 1, arrived, attempt(1, Outcome.FAILED)),
                Story.of(
                        "delivered at the second try",
                        DeliveryStatus.DELIVERED,
                        2,
                        arrived,
                        attempt(1, Outcome.FAILED),
                        attempt(2, Outcome.DELIVERED)),
                Story.of(
                        "given up",
                        DeliveryStatus.DEAD,
                        2,
                        arrived,
                        attempt(1, Outcome.FAILED),
                        attempt(2, Outcome.GIVEN_UP),
                        letter(2, 20)),
                Story.of("gone", DeliveryStatus.DEAD, 1, arrived, attempt(1, Outcome.GONE), letter(1, 10)),
                Story.of("given up without a try", DeliveryStatus.DEAD, 0, arrived, letter(0, 1)),
                Story.of(
                        "given up between tries",
                        DeliveryStatus.DEAD,
                        1,
                        arrived,
                        attempt(1, Outcome.FAILED),
                        letter(1, 15)),
                Story.of(
                        "resent",
                        DeliveryStatus.WAITING,
                        2,
                        arrived,
                        attempt(1, Outcome.FAILED),
                        attempt(2, Outcome.GIVEN_UP),
                        letter(2, 20),
                        resent),
                Story.of(
                        "resent and delivered",
                        DeliveryStatus.DELIVERED,
                        3,
                        arrived,
                        attempt(2, Outcome.GIVEN_UP),
                        letter(2, 20),
                        resent,
                        attempt(3, Outcome.DELIVERED)),
                Story.of(
                        "resent and given up once more",
                        DeliveryStatus.DEAD,
                        3,
                        arrived,
                        attempt(2, Outcome.GIVEN_UP),
                        letter(2, 20),
                        resent,
                        attempt(3, Outcome.GIVEN_UP),
                        letter(3, 120)),
                Story.of(
                        "resent and given up without another try",
                        DeliveryStatus.DEAD,
                        2,
                        arrived,
                        attempt(2, Outcome.GIVEN_UP),
                        letter(2, 20),
                        resent,
                        letter(2, 101)));
    }

    @ParameterizedTest
    @MethodSource("stories")
    void tellsTheState(Story story) {
        story.records().forEach(r -> r.accept(index));
        assertThat(newest(index, "acme", 10)).singleElement().satisfies(d -> {
            assertThat(d.state()).isEqualTo(story.state());
            assertThat(d.attempts()).isEqualTo(story.attempts());
            assertThat(d.url()).isEqualTo("https://hooks.example/acme");
        });
    }

    @Provide
    Arbitrary<Story> anyStory() {
        return Arbitraries.of(stories());
    }

    /** The topics have no common order, and a gateway that resends folds its own record before and after Kafka has it. */
    @Property
    void anyOrderAndRepetitionTellsTheSame(@ForAll("anyStory") Story story, @ForAll long seed) {
        List<Line> shuffled = new ArrayList<>(story.records());
        shuffled.addAll(story.records());
        Collections.shuffle(shuffled, new Random(seed));
        var other = new DeliveryIndex(1000);
        shuffled.forEach(r -> r.accept(other));
        story.records().forEach(r -> r.accept(index));
        assertThat(other.find("acme", EVENT.id())).usingRecursiveComparison().isEqualTo(index.find("acme", EVENT.id()));
        index.forgetBefore(Long.MAX_VALUE);
    }

    @Test
    void pagesFromNewToOldWhateverComesMeanwhile() {
        for (int i = 0; i < 25; i++) {
            index.deliver(DeliveryRecords.of("acme", i).deliver(i % 7), 0, i);
        }
        List<DeliveryView> all = newest(index, "acme", 100);
        assertThat(all).hasSize(25).isSortedAccordingTo((a, b) -> Long.compare(b.occurredAt(), a.occurredAt()));
        List<DeliveryView> paged = new ArrayList<>(newest(index, "acme", 10));
        index.deliver(DeliveryRecords.of("acme", 99).deliver(60), 0, 99);
        for (List<DeliveryView> page = paged; !page.isEmpty(); paged.addAll(page)) {
            page = index.newest("acme", ANY, paged.getLast().cursor(), 4).found();
        }
        assertThat(paged.stream().map(DeliveryView::id))
                .containsExactlyElementsOf(all.stream().map(DeliveryView::id).toList());
        assertThat(DeliveryCursor.parse(all.getFirst().cursor().text()))
                .contains(all.getFirst().cursor());
        assertThat(DeliveryCursor.parse("nonsense")).isEmpty();
    }

    @Test
    void filters() {
        DeliveryRecords first = DeliveryRecords.of("acme", 1);
        DeliveryRecords second = new DeliveryRecords("acme", first.report(), 2, "http://elsewhere.example/x");
        index.deliver(first.deliver(10), 0, 1);
        index.deliver(second.deliver(20), 1, 1);
        index.deliver(DeliveryRecords.of("acme", 3).deliver(30), 0, 2);
        index.deliver(DeliveryRecords.of("other", 4).deliver(30), 0, 3);
        index.attempt(second.attempt(1, Outcome.DELIVERED, 21), 5);
        assertThat(ids(new DeliverySelection(first.report(), null, Set.of(), 0, Long.MAX_VALUE)))
                .containsExactly(second.id(), first.id());
        assertThat(ids(new DeliverySelection(null, null, Set.of(DeliveryStatus.DELIVERED), 0, Long.MAX_VALUE)))
                .containsExactly(second.id());
        assertThat(ids(new DeliverySelection(
                        null,
                        millrace.contracts.delivery.WebhookEndpoint.id(
                                second.deliver(0).endpoint()),
                        Set.of(),
                        0,
                        Long.MAX_VALUE)))
                .containsExactly(second.id());
        assertThat(ids(new DeliverySelection(
                        null,
                        null,
                        Set.of(),
                        DeliveryRecords.at(10).toEpochMilli(),
                        DeliveryRecords.at(20).toEpochMilli())))
                .containsExactly(first.id());
        assertThat(index.find("other", first.id())).isEmpty();
        assertThat(index.endpointTotals("acme"))
                .hasSize(2)
                .hasEntrySatisfying(second.deliver(0).endpoint(), t -> {
                    assertThat(t.waiting()).isZero();
                    assertThat(t.lastSuccessAt())
                            .isEqualTo(DeliveryRecords.at(21).toEpochMilli());
                });
    }

    @Test
    void ofTooManyTheOldestOfTheLargestAccountAreForgotten() {
        var small = new DeliveryIndex(100);
        for (int i = 0; i < 20; i++) {
            small.deliver(DeliveryRecords.of("quiet", i).deliver(0), 0, i);
        }
        for (int i = 0; i < 500; i++) {
            small.deliver(DeliveryRecords.of("loud", 1000 + i).deliver(i), 0, i);
        }
        assertThat(small.size()).isEqualTo(100);
        assertThat(newest(small, "quiet", 1000)).hasSize(20);
        assertThat(newest(small, "loud", 1000).stream()
                        .map(d -> d.id().report().getLeastSignificantBits())
                        .toList())
                .containsExactlyElementsOf(
                        IntStream.range(0, 80).mapToObj(i -> 1499L - i).toList());
    }

    @Test
    void longUrlsTakeTheRoomOfSeveralDeliveries() {
        var small = new DeliveryIndex(100);
        for (int i = 0; i < 200; i++) {
            String url = "https://host" + i + ".example/" + "x".repeat(2_000);
            small.deliver(new DeliveryRecords("loud", new UUID(0, i), 1, url).deliver(i), 0, i);
        }
        assertThat(small.size()).isEqualTo(10);
        small.forgetBefore(Long.MAX_VALUE);
        for (int i = 0; i < 200; i++) {
            small.deliver(DeliveryRecords.of("acme", i).deliver(i), 0, i);
        }
        assertThat(small.size()).isEqualTo(100);
    }

    @Test
    void whatIsTooOldIsForgotten() {
        Stream.of(1, 2, 3)
                .forEach(i -> index.deliver(DeliveryRecords.of("acme", i).deliver(i), 0, i));
        index.forgetBefore(DeliveryRecords.at(3).toEpochMilli());
        assertThat(newest(index, "acme", 10)).hasSize(1);
        assertThat(index.find("acme", DeliveryRecords.of("acme", 1).id())).isEmpty();
        index.forgetBefore(Long.MAX_VALUE);
        assertThat(index.size()).isZero();
    }

    /** However many there are, a call looks at a bounded number, and the next one goes on there. */
    @Test
    void aPageOfFewEndsAndTheNextOneGoesOn() {
        var large = new DeliveryIndex(PageScan.MOST_LOOKED_AT * 2);
        int number = PageScan.MOST_LOOKED_AT + 50;
        for (int i = 0; i < number; i++) {
            String url = i == 3 ? "https://rare.example/" : "https://usual.example/";
            large.deliver(new DeliveryRecords("acme", new UUID(0, i), 1, url).deliver(i), 0, i);
        }
        DeliveryId rare = DeliveryId.parse(new UUID(0, 3) + ".1").orElseThrow();
        String endpoint =
                WebhookEndpoint.id(large.find("acme", rare).orElseThrow().endpoint());
        var wanted = new DeliverySelection(null, endpoint, Set.of(), 0, Long.MAX_VALUE);
        PageScan<DeliveryView> first = large.newest("acme", wanted, null, 10);
        assertThat(first.found()).isEmpty();
        DeliveryView stoppedAt = Objects.requireNonNull(first.stoppedAt());
        assertThat(stoppedAt.id().report()).isEqualTo(new UUID(0, 50));
        PageScan<DeliveryView> next = large.newest("acme", wanted, stoppedAt.cursor(), 10);
        assertThat(next.found()).singleElement().extracting(DeliveryView::id).isEqualTo(rare);
        assertThat(next.stoppedAt()).isNull();
    }

    @Test
    void countsWhatIsBeyondTheOldest() {
        for (int i = 0; i < 7; i++) {
            index.deliver(DeliveryRecords.of("acme", i).deliver(i), 0, i);
        }
        DeliveryIndex.Oldest oldest = index.oldest("acme", ANY, 3);
        assertThat(oldest.deliveries())
                .extracting(d -> d.id().report().getLeastSignificantBits())
                .containsExactly(0L, 1L, 2L);
        assertThat(oldest.all()).isEqualTo(7);
        assertThat(index.oldest("nobody", ANY, 3).all()).isZero();
    }

    private static List<DeliveryView> newest(DeliveryIndex index, String account, int limit) {
        return index.newest(account, ANY, null, limit).found();
    }

    private List<DeliveryId> ids(DeliverySelection wanted) {
        return index.newest("acme", wanted, null, 100).found().stream()
                .map(DeliveryView::id)
                .toList();
    }

    private static Line attempt(int number, Outcome outcome) {
        return i -> i.attempt(EVENT.attempt(number, outcome, 10 * number), 100 + number);
    }

    private static Line letter(int attempts, int second) {
        return i -> i.deadLetter(EVENT.letter(attempts, second), 200 + second);
    }
}
