package millrace.notifier.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.topics.Topics;
import millrace.notifier.versions.Subscribers.Subscriber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubscribersTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    /** Categories are d, m and a; a list of which all are needed is one word. */
    @ParameterizedTest
    @CsvSource({
        "d,   d,    true",
        "d,   dm,   true",
        "dm,  d,    false",
        "dm,  dma,  true",
        "d m, m,    true",
        "d m, a,    false",
        "dm a, a,   true",
        "d,   '',   false",
        "'',  dma,  false",
    })
    void seesWhatItMayAskFor(String access, String granted, boolean sees) {
        List<List<String>> needed = access.isEmpty()
                ? List.of()
                : Arrays.stream(access.split(" ", -1))
                        .map(SubscribersTest::categories)
                        .toList();
        var account = account("acme", false, categories(granted), "sub_1");
        assertThat(Subscribers.among(List.of(account), DataVersionAvailable.EVENT_TYPE, needed))
                .hasSize(sees ? 1 : 0);
    }

    @Test
    void areInTheOrderOfTheirKeysAndWithoutTheSuspended() {
        var accounts = List.of(
                account("b", false, List.of("d"), "sub_2", "sub_1"),
                account("suspended", true, List.of("d"), "sub_9"),
                account("nothing", false, List.of("d")),
                account("a", false, List.of("d"), "sub_3"));
        assertThat(Subscribers.among(accounts, DataVersionAvailable.EVENT_TYPE, List.of(List.of("d"))))
                .extracting(Subscriber::key)
                .containsExactly("a/sub_3", "b/sub_1", "b/sub_2");
        assertThat(Subscribers.among(accounts, "another_event", List.of(List.of("d"))))
                .isEmpty();
    }

    /** Two webhooks of one receiver are two events; the announcements of a dataset are one sequence. */
    @Test
    void eachHasAnEventOfItsOwn() {
        Deliver one = delivery("sub_1", "demographics", 3);
        assertThat(one.eventId()).isEqualTo(one.reportId() + ".3");
        assertThat(UUID.fromString(one.eventId().substring(0, 36))).isEqualTo(one.reportId());
        assertThat(delivery("sub_1", "demographics", 4).reportId()).isEqualTo(one.reportId());
        assertThat(delivery("sub_2", "demographics", 3).reportId()).isNotEqualTo(one.reportId());
        assertThat(delivery("sub_1", "keywords", 3).reportId()).isNotEqualTo(one.reportId());
        assertThat(delivery("sub_1", "demographics", 3)).isEqualTo(one);
    }

    @Test
    void theBodyIsTheAnnouncement() throws Exception {
        Deliver delivery = delivery("sub_1", "demographics", 3);
        assertThat(Json.MAPPER.readTree(delivery.body())).isEqualTo(Json.MAPPER.readTree("""
                {"event_type":"data_version_available","payload":{"dataset":"demographics","sequence":3,"version":"v",
                 "change":"published","row_count":1,"entity_count":1,"periods":{},
                 "occurred_at":"2026-11-22T10:00:00.000Z"}}"""));
        assertThat(delivery.traceparent()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00");
    }

    private static Deliver delivery(String subscription, String dataset, int sequence) {
        var available = new DataVersionAvailable(
                dataset, sequence, "v", DataVersionAvailable.Change.PUBLISHED, null, null, 1, 1, Map.of(), null, NOW);
        var subscriber = new Subscriber("acme", subscription, "https://hooks.example.com/data");
        var record = AnnouncerRun.delivery(available, subscriber);
        assertThat(record.key()).isEqualTo("acme|https://hooks.example.com:443");
        return (Deliver) Topics.DELIVERIES.decode(record.value());
    }

    private static List<String> categories(String letters) {
        return letters.chars().mapToObj(Character::toString).toList();
    }

    private static AccountRecord account(
            String id, boolean suspended, List<String> categories, String... subscriptions) {
        Map<String, AccountRecord.Entitlement> entitlements = categories.stream()
                .collect(Collectors.toMap(
                        c -> c, c -> new AccountRecord.Entitlement(List.of("US"), LocalDate.EPOCH, LocalDate.EPOCH)));
        return new AccountRecord(
                id,
                1,
                id,
                suspended,
                List.of(),
                entitlements,
                null,
                null,
                List.of(),
                Map.of(),
                NOW,
                null,
                Arrays.stream(subscriptions)
                        .map(subscription -> new AccountRecord.Subscription(
                                subscription,
                                "https://hooks.example.com/" + subscription,
                                List.of(DataVersionAvailable.EVENT_TYPE),
                                NOW))
                        .toList(),
                null,
                null);
    }
}
