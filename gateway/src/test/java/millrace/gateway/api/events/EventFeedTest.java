package millrace.gateway.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.http.sse.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import millrace.contracts.Json;
import millrace.contracts.reports.StatusResponse;
import millrace.gateway.copy.activity.ActivityEvent;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

class EventFeedTest {
    private static final EventMessages MESSAGES =
            new EventMessages(report -> StatusResponse.of(report, null, Instant.EPOCH));
    private static final Set<EventType> ALL = EnumSet.allOf(EventType.class);

    private final FakeActivity.Log log = new FakeActivity.Log();
    private final FakeActivity activity = new FakeActivity(log);
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger disconnected = new AtomicInteger();

    /** A client that reads from one gateway, until it is disconnected. */
    private static final class Client extends BaseSubscriber<Event<String>> {
        private final List<Event<String>> received = new ArrayList<>();
        private boolean ended;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // Requests when the test does.
        }

        @Override
        protected void hookOnNext(Event<String> event) {
            received.add(event);
        }

        @Override
        protected void hookOnComplete() {
            ended = true;
        }
    }

    private EventFeed feed(FakeActivity at, Set<EventType> types, FeedPosition from) {
        var reader = new EventFeed.Reader("acme", "key", types, disconnected::incrementAndGet);
        var source = new EventFeed.Source(at, MESSAGES, (account, dataset) -> !dataset.equals("hidden"), nanos::get);
        var feed = new EventFeed(reader, source, from, tasks::add);
        at.listen(new ActivityListener() {
            @Override
            public void recorded(Set<String> accountIds) {
                if (accountIds.contains("acme") || accountIds.contains(EVERYBODY)) {
                    feed.wake();
                }
            }

            @Override
            public void complete() {
                feed.rebuilt();
            }
        });
        return feed;
    }

    private Client connect(EventFeed feed, long demand) {
        var client = new Client();
        feed.events(() -> {}).subscribe(client);
        client.request(demand);
        runAll();
        return client;
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private static List<String> ids(List<Event<String>> events) {
        return events.stream()
                .filter(event -> !event.getData().isEmpty())
                .map(event -> json(event).path("id").asText())
                .toList();
    }

    private static JsonNode json(Event<String> event) {
        try {
            return Json.MAPPER.readTree(event.getData());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> idsOf(ActivityEvent event) {
        String id = event.place().id();
        return event instanceof ActivityEvent.Entered entered && entered.lowBelow() != null
                ? List.of(id + ".low", id)
                : List.of(id);
    }

    /** Each event once and in the order of its partition, however reading, recording, breaks and two gateways interleave. */
    @Property(tries = 400)
    void givesEachEventOnce(@ForAll long seed) {
        var random = new Random(seed);
        var shared = new FakeActivity.Log();
        List<FakeActivity> gateways = List.of(new FakeActivity(shared), new FakeActivity(shared));
        List<String> expected = new ArrayList<>();
        List<String> received = new ArrayList<>();
        Runnable write = () -> {
            String account = random.nextBoolean() ? "acme" : "other";
            int kind = random.nextInt(6);
            ActivityEvent event = shared.append(account, kind, random.nextInt(2));
            if (kind == 4 || (kind < 4 && account.equals("acme"))) {
                expected.addAll(idsOf(event));
            }
        };
        for (FakeActivity gateway : gateways) {
            gateway.meanwhile = () -> {
                if (random.nextInt(3) == 0) {
                    write.run();
                    boolean unused = gateway.fold(random.nextInt(8));
                }
            };
        }
        @Nullable FeedPosition last = null;
        @Nullable Client client = null;
        for (int step = 0; step < 300; step++) {
            FakeActivity gateway = gateways.get(random.nextInt(2));
            switch (random.nextInt(8)) {
                case 0 -> write.run();
                case 1, 2 -> {
                    boolean unused = gateway.fold(random.nextInt(8));
                }
                case 3 -> {
                    if (!tasks.isEmpty()) {
                        tasks.remove().run();
                    }
                }
                case 4, 5 -> {
                    if (client != null) {
                        client.request(1 + random.nextInt(4));
                    }
                }
                case 6 -> {
                    if (client != null && random.nextInt(5) == 0) {
                        client.cancel();
                        last = lastOf(client, last);
                        received.addAll(ids(client.received));
                        client = null;
                    }
                }
                default -> {
                    if (client == null) {
                        if (last == null) {
                            // What was recorded before is not the client's.
                            gateways.getFirst().foldAll();
                            last = FeedPosition.at(gateways.getFirst().end());
                            expected.clear();
                        }
                        client = new Client();
                        feed(gateway, ALL, last).events(() -> {}).subscribe(client);
                    }
                }
            }
        }
        if (client != null) {
            client.cancel();
            last = lastOf(client, last);
            received.addAll(ids(client.received));
        }
        if (last == null) {
            return;
        }
        gateways.forEach(gateway -> gateway.meanwhile = () -> {});
        gateways.forEach(FakeActivity::foldAll);
        client = connect(feed(gateways.get(random.nextInt(2)), ALL, last), Long.MAX_VALUE);
        received.addAll(ids(client.received));
        assertThat(received).as("seed %d", seed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
        for (String partition : List.of("report-events.0", "report-events.1", "credit-ledger.", "webhook-attempts.0")) {
            assertThat(received.stream().filter(id -> id.startsWith(partition)))
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(expected.stream()
                            .filter(id -> id.startsWith(partition))
                            .toList());
        }
    }

    /** As a client does, which takes what it has read last. */
    private static @Nullable FeedPosition lastOf(Client client, @Nullable FeedPosition before) {
        return client.received.isEmpty()
                ? before
                : FeedPosition.parse(client.received.getLast().getId()).orElseThrow();
    }

    @Test
    void beginsWithItsPosition() {
        log.append("acme", 0, 0);
        activity.foldAll();
        Client client = connect(feed(activity, ALL, FeedPosition.at(activity.end())), 100);
        assertThat(client.received).hasSize(1);
        assertThat(client.received.getFirst().getRetry()).isEqualTo(Duration.ofSeconds(1));
        assertThat(client.received.getFirst().getId())
                .isEqualTo(FeedPosition.at(activity.end()).text());
    }

    @Test
    void saysWhatHappened() {
        Client client = connect(feed(activity, ALL, FeedPosition.at(activity.end())), 100);
        for (int kind = 0; kind < 4; kind++) {
            log.append("acme", kind, 0);
            activity.foldAll();
        }
        runAll();
        List<Event<String>> events = client.received.subList(1, client.received.size());
        assertThat(events)
                .extracting(Event::getName)
                .containsExactly("report", "delivery", "credits", "balance_low", "credits");
        assertThat(events).allSatisfy(event -> {
            assertThat(json(event).path("type").asText()).isEqualTo(event.getName());
            assertThat(json(event).path("occurred_at").asText()).endsWith("Z");
        });
        assertThat(json(events.get(0)).at("/report/status").asText()).isEqualTo("complete");
        assertThat(json(events.get(1)).at("/delivery/id").asText()).isEqualTo("evt-2");
        assertThat(json(events.get(1)).at("/delivery/endpoint").asText()).matches("ep_[0-9a-f]{24}");
        assertThat(json(events.get(1)).at("/delivery/held_until").asText()).startsWith("1970-01-01T00:00:52");
        assertThat(json(events.get(1)).at("/delivery/held_reason").asText()).isEqualTo("retry_after");
        assertThat(json(events.get(2)).at("/entry/dataset").asText()).isEqualTo("demographics");
        assertThat(json(events.get(3)).at("/remaining").asLong()).isEqualTo(93);
        assertThat(json(events.get(3)).at("/threshold").asLong()).isEqualTo(100);
    }

    @Test
    void saysThatTheDataAreNewOfDatasetsThatTheAccountSees() {
        Client client = connect(feed(activity, ALL, FeedPosition.at(activity.end())), 100);
        log.append("other", 5, 0);
        log.append("other", 4, 0);
        log.append("other", 5, 0);
        activity.foldAll();
        runAll();
        assertThat(client.received).extracting(Event::getName).containsExactly(null, "data_version_available");
        JsonNode event = json(client.received.getLast());
        assertThat(event.path("id").asText()).isEqualTo("dataset-versions.0.1");
        assertThat(event.at("/data/dataset").asText()).isEqualTo("demographics");
        assertThat(event.at("/data/periods/monthly/last").asText()).isEqualTo("1970-01-01");
    }

    @Test
    void sendsOnlyTheTypesThatAreWanted() {
        Client client =
                connect(feed(activity, EnumSet.of(EventType.BALANCE_LOW), FeedPosition.at(activity.end())), 100);
        for (int kind = 0; kind < 4; kind++) {
            log.append("acme", kind, 0);
        }
        activity.foldAll();
        runAll();
        assertThat(client.received).extracting(Event::getName).containsExactly(null, "balance_low");
        assertThat(client.received.getLast().getId()).endsWith(".low");
    }

    /** So that a client to which nothing happens does not fall behind what is kept. */
    @Test
    void aCommentHasTheNewestPosition() {
        EventFeed feed = feed(activity, EnumSet.of(EventType.CREDITS), FeedPosition.at(activity.end()));
        Client client = connect(feed, 100);
        log.append("acme", 0, 0);
        log.append("other", 2, 0);
        activity.foldAll();
        feed.ping();
        runAll();
        assertThat(client.received).hasSize(2);
        assertThat(client.received.getLast().getComment()).isEqualTo("ping");
        assertThat(client.received.getLast().getId())
                .isEqualTo(FeedPosition.at(activity.end()).text());
    }

    @Test
    void aClientThatReadsNothingIsDisconnectedWhereMuchWaits() {
        EventFeed feed = feed(activity, ALL, FeedPosition.at(activity.end()));
        Client client = connect(feed, 3);
        for (int i = 0; i < 2 + EventFeed.MOST_WAITING - 1; i++) {
            log.append("acme", 0, 0);
        }
        activity.foldAll();
        runAll();
        feed.ping();
        runAll();
        assertThat(client.received).hasSize(3);
        assertThat(disconnected).hasValue(0);
        log.append("acme", 0, 0);
        activity.foldAll();
        runAll();
        feed.ping();
        runAll();
        assertThat(disconnected).hasValue(1);
    }

    @Test
    void aClientThatReadsSlowlyGetsEverything() {
        Client client = connect(feed(activity, ALL, FeedPosition.at(activity.end())), 1);
        for (int i = 0; i < 1000; i++) {
            log.append("acme", 0, 0);
        }
        activity.foldAll();
        for (int i = 0; i < 1000; i++) {
            client.request(1);
            runAll();
        }
        assertThat(client.received).hasSize(1001);
        assertThat(disconnected).hasValue(0);
    }

    @Test
    void saysWhereEventsAreLost() {
        log.append("acme", 0, 0);
        FeedPosition old = FeedPosition.at(activity.end());
        activity.foldAll();
        activity.lost = "It is older than 30 days.";
        Client client = connect(feed(activity, EnumSet.of(EventType.CREDITS), old), 100);
        assertThat(client.received).extracting(Event::getName).containsExactly(null, "reset");
        assertThat(client.received.getLast().getData())
                .isEqualTo("{\"type\":\"reset\",\"reason\":\"It is older than 30 days.\"}");
        assertThat(client.received.getLast().getId())
                .isEqualTo(FeedPosition.at(activity.end()).text());
    }

    @Test
    void goesOnWhenTheStoreIsCompleteAgain() {
        Client client = connect(feed(activity, ALL, FeedPosition.at(activity.end())), 100);
        activity.building = true;
        log.append("acme", 0, 0);
        activity.foldAll();
        runAll();
        assertThat(client.received).hasSize(1);
        activity.built();
        runAll();
        assertThat(ids(client.received)).containsExactly("report-events.0.0");
        activity.lost = "These are other topics.";
        activity.built();
        runAll();
        assertThat(client.received.getLast().getName()).isEqualTo("reset");
    }

    @Test
    void endsAndSaysSo() {
        var ended = new AtomicInteger();
        EventFeed feed = feed(activity, ALL, FeedPosition.at(activity.end()));
        var client = new Client();
        feed.events(ended::incrementAndGet).subscribe(client);
        client.request(10);
        runAll();
        feed.end();
        assertThat(client.ended).isTrue();
        assertThat(ended).hasValue(1);
    }
}
