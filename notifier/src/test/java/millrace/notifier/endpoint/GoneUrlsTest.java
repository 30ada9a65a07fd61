package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.HeldReason;
import org.junit.jupiter.api.Test;

/** How much an account can have the notifier remember of URLs. */
class GoneUrlsTest {
    private static final long NOW = Duration.ofDays(20_000).toMillis();

    private final AccountUrls account = new AccountUrls();
    private final EndpointQueue queue = endpoint("r.example");

    @Test
    void whereManyUrlsAreGoneNothingIsSentToTheEndpoint() {
        for (int i = 0; i < GoneUrls.MOST - 1; i++) {
            queue.markGone(url(i), NOW + i);
        }
        assertThat(queue.whyGone(url(0))).contains("The URL answered 410 before");
        assertThat(queue.whyGone(url(5000))).isNull();
        assertThat(queue.held(NOW)).isNull();
        queue.markGone(url(99), NOW + 99);
        assertThat(queue.whyGone(url(5000))).contains("100 URLs of this host answered 410");
        assertThat(queue.held(NOW)).isNotNull().satisfies(held -> {
            assertThat(held.reason()).isEqualTo(HeldReason.GONE);
            assertThat(held.until()).isNull();
        });
        assertThat(queue.stopped())
                .hasSize(EndpointState.MAX_URLS)
                .first()
                .isEqualTo(new EndpointState.StoppedUrl(url(99), Instant.ofEpochMilli(NOW + 99)));
    }

    /** Attempts that were under way when it stopped. */
    @Test
    void oneMoreTakesThePlaceOfTheOldest() {
        for (int i = 0; i < 10_000; i++) {
            queue.markGone(url(i), NOW + i);
        }
        assertThat(queue.goneUrls()).isEqualTo(GoneUrls.MOST);
        assertThat(queue.takeDeleted())
                .hasSize(10_000 - GoneUrls.MOST)
                .startsWith(DeliveryState.Gone.key(queue.key(), url(0)));
        assertThat(queue.takeDeleted()).isEmpty();
    }

    @Test
    void aTestOfAnyUrlLetsTheWholeEndpointGoOn() {
        for (int i = 0; i < GoneUrls.MOST; i++) {
            queue.markGone(url(i), NOW);
        }
        assertThat(queue.reinstate("http://r.example/other")).isTrue();
        assertThat(queue.goneUrls()).isZero();
        assertThat(queue.takeDeleted()).hasSize(GoneUrls.MOST);
        assertThat(account.size()).isZero();
    }

    @Test
    void aUrlIsForgottenAfterAMonth() {
        queue.markGone(url(1), NOW);
        queue.markGone(url(2), NOW + 1);
        long month = GoneUrls.KEPT.toMillis();
        queue.forgetOldUrls(NOW + month);
        assertThat(queue.goneUrls()).isEqualTo(2);
        queue.forgetOldUrls(NOW + month + 1);
        assertThat(queue.whyGone(url(1))).isNull();
        assertThat(queue.whyGone(url(2))).isNotNull();
        assertThat(queue.takeDeleted()).containsExactly(DeliveryState.Gone.key(queue.key(), url(1)));
    }

    @Test
    void ofAnAccountWithManyEndpointsTheNewestAreRemembered() {
        List<EndpointQueue> endpoints = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            EndpointQueue endpoint = endpoint("host-" + i);
            endpoint.markGone("http://host-" + i + "/hook", NOW + i);
            endpoints.add(endpoint);
        }
        assertThat(account.size()).isEqualTo(AccountUrls.MOST);
        assertThat(endpoints.stream().mapToInt(EndpointQueue::goneUrls).sum()).isEqualTo(AccountUrls.MOST);
        assertThat(endpoints.getLast().goneUrls()).isOne();
        assertThat(queue.takeDeleted())
                .hasSize(10_000 - AccountUrls.MOST)
                .startsWith("acme|http://host-0:80|gone|http://host-0/hook");
    }

    /** What was released goes on at once. */
    @Test
    void heldUrlsOfAnAccountCountToo() {
        List<EndpointQueue> endpoints = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            EndpointQueue endpoint = endpoint("host-" + i);
            endpoints.add(endpoint);
            for (int path = 0; path < HeldUrls.MOST; path++) {
                String url = "http://host-" + i + "/" + path;
                endpoint.add(HeldEvent.arrived(SampleEvents.deliver(path, 1, url), path, NOW));
                endpoint.add(HeldEvent.arrived(SampleEvents.deliver(1000 + path, 1, url), path, NOW + 1));
                HeldEvent event = Objects.requireNonNull(endpoint.next(NOW));
                var busy = new AttemptResult.Answered(429, Instant.ofEpochMilli(NOW + 60_000));
                endpoint.attempted(event, url, busy, NOW, NOW, 0.5);
                endpoint.ended(event);
            }
            assertThat(endpoint.next(NOW + 10))
                    .as("the other events are set aside")
                    .isNull();
        }
        assertThat(account.size()).isEqualTo(AccountUrls.MOST);
        assertThat(endpoints.stream()
                        .mapToInt(endpoint -> Optional.ofNullable(endpoint.held(NOW))
                                .map(EndpointState.Held::urls)
                                .orElse(0))
                        .sum())
                .as("what is forgotten is not kept for its events")
                .isEqualTo(AccountUrls.MOST);
        assertThat(endpoints).allSatisfy(endpoint -> assertThat(endpoint.size()).isEqualTo(HeldUrls.MOST));
        assertThat(account.takeReleased())
                .hasSize(40)
                .contains(endpoints.getFirst().key());
        assertThat(account.takeReleased()).isEmpty();
        assertThat(endpoints.getFirst().next(NOW + 10)).isNotNull();
        assertThat(endpoints.getLast().next(NOW + 10)).isNull();
        endpoints.forEach(EndpointQueue::forgetUrls);
        assertThat(account.size()).isZero();
    }

    private EndpointQueue endpoint(String host) {
        return new EndpointQueue("acme|http://" + host + ":80", 0, new EndpointFlow(SampleEvents.rules(1000)), account);
    }

    private static String url(int number) {
        return "http://r.example/" + number;
    }
}
