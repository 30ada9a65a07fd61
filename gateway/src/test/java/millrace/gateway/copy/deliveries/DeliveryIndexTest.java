package millrace.gateway.copy.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import millrace.contracts.delivery.DeliveryCommand.EraseReport;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.PageScan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the deliveries on the disk answer. */
class DeliveryIndexTest {
    private static final DeliverySelection ANY = new DeliverySelection(null, null, Set.of(), 0, Long.MAX_VALUE);
    private static final DeliveryRecords EVENT = DeliveryRecords.of("acme", 1);

    private final DeliveriesOnDisk disk = new DeliveriesOnDisk();
    private final DeliveryIndex index = disk.index();

    @AfterEach
    void close() {
        disk.close();
    }

    /** Folds a record of an event. */
    interface Line extends BiConsumer<DeliveriesOnDisk, DeliveryRecords> {}

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
        Line arrived = (d, event) -> d.command(event.deliver(0), 2, 7);
        Line resent = (d, event) -> d.command(event.resend(2, 100), 2, 9);
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
        story.records().forEach(r -> r.accept(disk, EVENT));
        assertThat(newest("acme", 10)).singleElement().satisfies(d -> {
            assertThat(d.state()).isEqualTo(story.state());
            assertThat(d.attempts()).isEqualTo(story.attempts());
            assertThat(d.url()).isEqualTo("https://hooks.example/acme");
        });
    }

    /** Whatever is read of it before and after, in whichever order. */
    @ParameterizedTest
    @MethodSource("stories")
    void aReportThatIsErasedLeavesNothing(Story story) {
        disk.command(EVENT.deliver(0), 2, 7);
        for (int at = 0; at <= story.records().size(); at++) {
            DeliveryRecords event = DeliveryRecords.of("acme", 10 + at);
            List<Line> records = new ArrayList<>(story.records());
            if (at % 2 == 0) {
                Collections.reverse(records);
            }
            records.add(
                    at,
                    (d, erased) -> d.command(
                            new EraseReport(erased.account(), erased.report(), DeliveryRecords.at(30)), 1, 3));
            records.forEach(r -> r.accept(disk, event));
            assertThat(index.find("acme", event.id())).isEmpty();
            assertThat(newest("acme", 10)).extracting(DeliveryView::id).containsExactly(EVENT.id());
            assertThat(index.endpoints("acme", null, 10).values())
                    .singleElement()
                    .satisfies(totals -> assertThat(totals.waiting()).isEqualTo(1));
        }
        disk.at(DeliveryRecords.at(0).plus(Duration.ofDays(9)));
        assertThat(newest("acme", 10)).isEmpty();
    }

    /** The topics have no common order, and a gateway that resends folds its own record before and after Kafka has it. */
    @ParameterizedTest
    @MethodSource("stories")
    void anyOrderAndRepetitionTellsTheSame(Story story) {
        story.records().forEach(r -> r.accept(disk, EVENT));
        DeliveryView told = index.find("acme", EVENT.id()).orElseThrow();
        var random = new Random(story.what().hashCode());
        int times = 20;
        for (int n = 2; n < times; n++) {
            DeliveryRecords event = DeliveryRecords.of("acme", n);
            List<Line> shuffled = new ArrayList<>(story.records());
            shuffled.addAll(story.records());
            Collections.shuffle(shuffled, random);
            shuffled.forEach(r -> r.accept(disk, event));
            assertThat(index.find("acme", event.id()).orElseThrow())
                    .usingRecursiveComparison()
                    .ignoringFields("id")
                    .isEqualTo(told);
        }
        for (DeliveryStatus status : DeliveryStatus.values()) {
            var wanted = new DeliverySelection(null, told.endpoint(), EnumSet.of(status), 0, Long.MAX_VALUE);
            assertThat(ids(wanted)).hasSize(status == story.state() ? times - 1 : 0);
        }
        assertThat(index.endpoints("acme", null, 10)).hasSize(1).allSatisfy((origin, totals) -> {
            assertThat(totals.waiting()).isEqualTo(story.state().isOpen() ? times - 1 : 0);
        });
    }

    @Test
    void pagesFromNewToOldWhateverComesMeanwhile() {
        for (int i = 0; i < 25; i++) {
            disk.command(DeliveryRecords.of("acme", i).deliver(i % 7), 0, i);
        }
        List<DeliveryView> all = newest("acme", 100);
        assertThat(all).hasSize(25).isSortedAccordingTo((a, b) -> Long.compare(b.occurredAt(), a.occurredAt()));
        List<DeliveryView> paged = new ArrayList<>(newest("acme", 10));
        disk.command(DeliveryRecords.of("acme", 99).deliver(60), 0, 99);
        for (List<DeliveryView> page = paged; !page.isEmpty(); paged.addAll(page)) {
            page = index.newest("acme", ANY, paged.getLast().cursor(), 4).found();
        }
        assertThat(paged.stream().map(DeliveryView::id))
                .containsExactlyElementsOf(all.stream().map(DeliveryView::id).toList());
    }

    // Against a plain list

    /** Whatever is selected and wherever a page ends: what a list finds that looks at everything. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void findsWhatAPlainListFinds(int seed) {
        var random = new Random(seed);
        disk.at(DeliveryRecords.at(6 * 86_400));
        List<DeliveryView> list = new ArrayList<>();
        for (int n = 0; n < 60; n++) {
            DeliveryRecords event = event(n, random);
            disk.command(event.deliver(random.nextInt(5) * 86_400 + random.nextInt(3)), 0, n);
            if (random.nextBoolean()) {
                Outcome outcome = DeliveryRecords.anyOutcome(random);
                disk.attempt(event.attempt(1, outcome, 5 * 86_400), n);
            }
            list.add(index.find("acme", event.id()).orElseThrow());
        }
        list.sort(Comparator.comparingLong(DeliveryView::occurredAt)
                .thenComparingLong(d -> d.id().report().getLeastSignificantBits()));
        for (int n = 0; n < 40; n++) {
            DeliverySelection wanted = selection(random);
            List<DeliveryId> matching =
                    list.stream().filter(wanted::matches).map(DeliveryView::id).toList();
            DeliveryIndex.Oldest oldest = index.oldest("acme", wanted, 7);
            assertThat(oldest.deliveries())
                    .extracting(DeliveryView::id)
                    .as("%s", wanted)
                    .isEqualTo(matching.subList(0, Math.min(7, matching.size())));
            assertThat(oldest.left()).as("%s", wanted).isEqualTo(Math.max(0, matching.size() - 7));
            assertThat(pages(wanted, 1 + random.nextInt(5))).as("%s", wanted).isEqualTo(matching.reversed());
        }
    }

    private static DeliveryRecords event(int n, Random random) {
        return new DeliveryRecords("acme", new UUID(0, n), 1, "https://host" + random.nextInt(3) + ".example/x");
    }

    private static DeliverySelection selection(Random random) {
        String endpoint = WebhookEndpoint.of("acme", "https://host" + random.nextInt(4) + ".example/")
                .key();
        Set<DeliveryStatus> states = EnumSet.noneOf(DeliveryStatus.class);
        for (DeliveryStatus status : DeliveryStatus.values()) {
            if (random.nextInt(3) == 0) {
                states.add(status);
            }
        }
        long from = DeliveryRecords.at(random.nextInt(4) * 86_400 + random.nextInt(3))
                .toEpochMilli();
        long length = random.nextInt(4) * 86_400_000L + random.nextInt(3000);
        return new DeliverySelection(
                null,
                random.nextBoolean() ? WebhookEndpoint.id(endpoint) : null,
                states,
                random.nextBoolean() ? from : Long.MIN_VALUE,
                random.nextBoolean() ? from + length : Long.MAX_VALUE);
    }

    private List<DeliveryId> pages(DeliverySelection wanted, int size) {
        List<DeliveryId> all = new ArrayList<>();
        @Nullable DeliveryCursor after = null;
        do {
            PageScan<DeliveryView> page = index.newest("acme", wanted, after, size);
            all.addAll(page.found().stream().map(DeliveryView::id).toList());
            // As clients get it
            after = page.found().isEmpty()
                    ? null
                    : DeliveryCursor.parse(page.found().getLast().cursor().text())
                            .orElseThrow();
        } while (after != null);
        return all;
    }

    /** A cursor is text of a client: what is in it may be anything. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void takesAnyTime(long time) {
        disk.command(EVENT.deliver(0), 0, 1);
        boolean later = time > DeliveryRecords.at(0).toEpochMilli();
        var cursor = new DeliveryCursor(time, new DeliveryId(new UUID(-1, -1), Integer.MAX_VALUE));
        assertThat(index.newest("acme", ANY, cursor, 10).found()).hasSize(later ? 1 : 0);
        var until = new DeliverySelection(null, null, Set.of(), time, time);
        assertThat(index.newest("acme", until, null, 10).found()).isEmpty();
        assertThat(index.oldest("acme", until, 10).deliveries()).isEmpty();
        var since = new DeliverySelection(null, null, EnumSet.of(DeliveryStatus.WAITING), time, Long.MAX_VALUE);
        assertThat(index.newest("acme", since, null, 10).found()).hasSize(later ? 0 : 1);
    }

    @Test
    void filters() {
        DeliveryRecords first = DeliveryRecords.of("acme", 1);
        DeliveryRecords second = new DeliveryRecords("acme", first.report(), 2, "http://elsewhere.example/x");
        disk.command(first.deliver(10), 0, 1);
        disk.command(second.deliver(20), 1, 1);
        disk.command(DeliveryRecords.of("acme", 3).deliver(30), 0, 2);
        disk.command(DeliveryRecords.of("other", 4).deliver(30), 0, 3);
        disk.attempt(second.attempt(1, Outcome.DELIVERED, 21), 5);
        assertThat(ids(new DeliverySelection(first.report(), null, Set.of(), 0, Long.MAX_VALUE)))
                .containsExactly(second.id(), first.id());
        assertThat(ids(new DeliverySelection(null, null, Set.of(DeliveryStatus.DELIVERED), 0, Long.MAX_VALUE)))
                .containsExactly(second.id());
        assertThat(ids(new DeliverySelection(
                        null, WebhookEndpoint.id(second.deliver(0).endpoint()), Set.of(), 0, Long.MAX_VALUE)))
                .containsExactly(second.id());
        assertThat(ids(new DeliverySelection(
                        null,
                        null,
                        Set.of(),
                        DeliveryRecords.at(10).toEpochMilli(),
                        DeliveryRecords.at(20).toEpochMilli())))
                .containsExactly(first.id());
        assertThat(index.find("other", first.id())).isEmpty();
        assertThat(index.endpoints("acme", null, 10))
                .hasSize(2)
                .hasEntrySatisfying("http://elsewhere.example:80", t -> {
                    assertThat(t.waiting()).isZero();
                    assertThat(t.lastSuccessAt())
                            .isEqualTo(DeliveryRecords.at(21).toEpochMilli());
                });
    }

    @Test
    void keepsAllOfTheTimeAndForgetsWhatIsTooOld() {
        int many = 3_000;
        disk.fold(IntStream.range(0, many)
                .mapToObj(i -> DeliveriesOnDisk.record(
                        Topics.DELIVERIES, 0, i, DeliveryRecords.of("loud", i).deliver(i)))
                .toList());
        disk.attempt(DeliveryRecords.of("loud", 0).attempt(1, Outcome.DELIVERED, 1), 1);
        Instant end = DeliveryRecords.at(0).plus(DeliveriesOnDisk.KEEP);
        disk.at(end);
        assertThat(index.oldest("loud", ANY, 1).left()).isEqualTo(many - 1);
        disk.at(end.plusSeconds(1));
        assertThat(index.oldest("loud", ANY, 1).left()).isEqualTo(many - 2);
        assertThat(index.find("loud", DeliveryRecords.of("loud", 0).id())).isEmpty();
        assertThat(index.find("loud", DeliveryRecords.of("loud", 1).id())).isPresent();
        disk.at(end.plus(Duration.ofDays(1)));
        assertThat(newest("loud", 10)).isEmpty();
        disk.at(end.plus(Duration.ofDays(2)));
        assertThat(index.endpoints("loud", null, 10)).isEmpty();
        assertThat(index.newest(
                                "loud",
                                new DeliverySelection(new UUID(0, 2), null, Set.of(), 0, Long.MAX_VALUE),
                                null,
                                10)
                        .found())
                .isEmpty();
    }

    /** What is not selected costs nothing, however much there is. */
    @Test
    void aFilterReadsItsOwnRows() {
        int number = PageScan.MOST_LOOKED_AT + 50;
        disk.fold(IntStream.range(0, number)
                .mapToObj(i -> {
                    String url = i == 3 ? "https://rare.example/" : "https://usual.example/";
                    var event = new DeliveryRecords("acme", new UUID(0, i), 1, url);
                    return DeliveriesOnDisk.record(Topics.DELIVERIES, 0, i, event.deliver(i));
                })
                .toList());
        disk.attempt(DeliveryRecords.of("acme", 5).attempt(1, Outcome.FAILED, 6), 1);
        String endpoint = WebhookEndpoint.id(
                WebhookEndpoint.of("acme", "https://rare.example/").key());
        PageScan<DeliveryView> rare =
                index.newest("acme", new DeliverySelection(null, endpoint, Set.of(), 0, Long.MAX_VALUE), null, 10);
        assertThat(rare.found()).extracting(DeliveryView::id).containsExactly(new DeliveryId(new UUID(0, 3), 1));
        assertThat(rare.stoppedAt()).isNull();
        PageScan<DeliveryView> failed = index.newest(
                "acme",
                new DeliverySelection(null, null, EnumSet.of(DeliveryStatus.FAILED), 0, Long.MAX_VALUE),
                null,
                10);
        assertThat(failed.found()).extracting(DeliveryView::id).containsExactly(new DeliveryId(new UUID(0, 5), 1));
        assertThat(failed.stoppedAt()).isNull();
    }

    @Test
    void countsWhatIsBeyondTheOldest() {
        for (int i = 0; i < 7; i++) {
            disk.command(DeliveryRecords.of("acme", i).deliver(i), 0, i);
        }
        DeliveryIndex.Oldest oldest = index.oldest("acme", ANY, 3);
        assertThat(oldest.deliveries())
                .extracting(d -> d.id().report().getLeastSignificantBits())
                .containsExactly(0L, 1L, 2L);
        assertThat(oldest.left()).isEqualTo(4);
        assertThat(index.oldest("acme", ANY, 3, 2).left())
                .as("as far as it counts")
                .isEqualTo(2);
        assertThat(index.oldest("nobody", ANY, 3).left()).isZero();
    }

    @Test
    void addsUpEndpointsPageByPage() {
        disk.at(DeliveryRecords.at(3 * 86_400));
        for (int n = 0; n < 12; n++) {
            var event = new DeliveryRecords("acme", new UUID(0, n), 1, "https://h" + n % 4 + ".example/x");
            disk.command(event.deliver(n / 4 * 86_400), 0, n);
            if (n >= 8) {
                disk.attempt(event.attempt(1, Outcome.FAILED, n / 4 * 86_400 + n), n);
            } else if (n % 4 > 0) {
                disk.attempt(event.attempt(1, Outcome.DELIVERED, n / 4 * 86_400 + n), n);
            }
        }
        assertThat(index.endpoints("acme", null, 3).keySet())
                .containsExactly("https://h0.example:443", "https://h1.example:443", "https://h2.example:443");
        assertThat(index.endpoints("acme", "https://h1.example:443", 3).keySet())
                .containsExactly("https://h2.example:443", "https://h3.example:443");
        assertThat(index.endpoints("acme", "https://h1.example:4", 1).keySet())
                .containsExactly("https://h1.example:443");
        assertThat(index.endpoints("other", null, 3)).isEmpty();
        assertThat(index.endpoints("acme", null, 1))
                .containsEntry("https://h0.example:443", totals(3, 0, 0, 2 * 86_400 + 8));
        assertThat(index.endpoints("acme", null, 2))
                .containsEntry("https://h1.example:443", totals(1, 2 * 86_400, 86_400 + 5, 2 * 86_400 + 9));
        String key = WebhookEndpoint.of("acme", "https://h2.example/other").key();
        assertThat(index.endpointKey("acme", WebhookEndpoint.id(key))).contains(key);
        assertThat(index.endpointKey("other", WebhookEndpoint.id(key))).isEmpty();
    }

    private static EndpointTotals totals(int waiting, int oldest, int success, int error) {
        return new EndpointTotals(
                waiting,
                DeliveryRecords.at(oldest).toEpochMilli(),
                success == 0 ? 0 : DeliveryRecords.at(success).toEpochMilli(),
                DeliveryRecords.at(error).toEpochMilli(),
                500);
    }

    /** An event that is resent again and again keeps the newest attempts. */
    @Test
    void keepsABoundedNumberOfAttempts() {
        disk.command(EVENT.deliver(0), 0, 1);
        for (int n = 1; n <= 60; n++) {
            disk.attempt(EVENT.attempt(n, Outcome.FAILED, n), 100 + n);
        }
        DeliveryView told = index.find("acme", EVENT.id()).orElseThrow();
        assertThat(told.attempts()).isEqualTo(60);
        assertThat(told.places().attempts())
                .containsExactly(LongStream.rangeClosed(111, 160).toArray());
    }

    private List<DeliveryView> newest(String account, int limit) {
        return index.newest(account, ANY, null, limit).found();
    }

    private List<DeliveryId> ids(DeliverySelection wanted) {
        return index.newest("acme", wanted, null, 100).found().stream()
                .map(DeliveryView::id)
                .toList();
    }

    private static Line attempt(int number, Outcome outcome) {
        return (d, event) -> d.attempt(event.attempt(number, outcome, 10 * number), 100 + number);
    }

    private static Line letter(int attempts, int second) {
        return (d, event) -> d.deadLetter(event.letter(attempts, second), 200 + second);
    }
}
