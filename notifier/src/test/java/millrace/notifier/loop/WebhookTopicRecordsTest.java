package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dead letters contain the event without its download link. */
class WebhookTopicRecordsTest {
    private static final Instant NOW = Instant.parse("2026-11-02T12:00:00Z");
    private static final String LINK =
            "http://127.0.0.1:8080/v3/batch/download/00000000-0000-0000-0000-000000000001?file=a&expires=1&signature=aB-_9";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # an event                                                        | without the link
            {"event_type":"e","payload":{"a":1.50,"download_url":"$","b":[]}} | {"event_type":"e","payload":{"a":1.5,"b":[]}}
            {"event_type":"e","payload":{"a":1.50}}                           | {"event_type":"e","payload":{"a":1.50}}
            {"event_type":"e","payload":"download_url"}                       | {"event_type":"e","payload":"download_url"}
            {"body":"{\\"download_url\\":\\"$\\"}"                            | {"body":"{\\"download_url\\":\\"$-\\"}"
            not JSON, download_url $ and $                                    | not JSON, download_url $- and $-
            not JSON                                                          | not JSON
            """)
    void aDeadLetterHasNoDownloadLink(String body, String published) {
        String unsigned = LINK.replace("aB-_9", "removed");
        var delivery = new Deliver(
                "event",
                "acme",
                "https://hooks.example.com/x?token=1",
                new UUID(0, 1),
                2,
                NOW,
                body.replace("$", LINK),
                "00-00000000000000000000000000000000-0000000000000000-00");
        var record =
                WebhookTopicRecords.deadLetter("acme|https://hooks.example.com:443", delivery, 10, "no answer", NOW);
        var letter = Topics.WEBHOOK_DEAD_LETTERS.decode(record.value());
        assertThat(letter.body()).isEqualTo(published.replace("$-", unsigned)).doesNotContain("aB-_9");
        assertThat(letter.url()).isEqualTo("https://hooks.example.com/x");
        assertThat(letter.endpointId()).isEqualTo(WebhookEndpoint.id(letter.endpoint()));
    }
}
