package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import millrace.contracts.delivery.DeliveryState;
import millrace.notifier.NotifierSettings;
import millrace.notifier.bootstrap.NotifierTestKafka;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.runtime.settings.Settings;
import millrace.webhook.WebhookSigner;
import org.junit.jupiter.api.Test;

class OwnedPartitionTest {
    private static final long NOW = Duration.ofDays(20_000).toMillis();
    private static final List<String> SECRETS = List.of(NotifierTestKafka.SECRET);

    private final OwnedPartition partition = new OwnedPartition(
            0,
            SourceOffsets.resume(0, ""),
            Settings.sectionOf("notifier", NotifierSettings.class, Map.of()).flow());

    @Test
    void whatIsRememberedOfAnAccountGoesWithItsLastEndpoint() {
        EndpointQueue one = partition.endpoint("acme|http://one.example:80");
        EndpointQueue two = partition.endpoint("acme|http://two.example:80");
        partition.endpoint("other|http://one.example:80");
        WebhookSigner signer = partition.signer(one, SECRETS);
        two.markGone("http://two.example/hook", NOW);
        partition.forget(two);
        assertThat(partition.accounts()).isEqualTo(2);
        assertThat(partition.signer(one, SECRETS)).isSameAs(signer);
        one.markGone("http://one.example/hook", NOW);
        partition.forget(one);
        partition.forget(one);
        assertThat(partition.accounts()).isOne();
        assertThat(partition.takeDeleted(10))
                .as("what Kafka has of its URLs is deleted all the same")
                .containsExactlyInAnyOrder(
                        DeliveryState.Gone.key(one.key(), "http://one.example/hook"),
                        DeliveryState.Gone.key(two.key(), "http://two.example/hook"));
        EndpointQueue again = partition.endpoint(one.key());
        assertThat(partition.signer(again, SECRETS)).isNotSameAs(signer);
    }

    @Test
    void otherSecretsHaveAnotherSigner() {
        EndpointQueue queue = partition.endpoint("acme|http://one.example:80");
        WebhookSigner signer = partition.signer(queue, SECRETS);
        assertThat(partition.signer(queue, List.of(NotifierTestKafka.SECRET, NotifierTestKafka.SECRET)))
                .isNotSameAs(signer);
    }
}
