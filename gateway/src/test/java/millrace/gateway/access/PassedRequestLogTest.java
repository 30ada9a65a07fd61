package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import millrace.contracts.operation.PassedRequests;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class PassedRequestLogTest {
    private static final long SECOND = 1_000_000_000L;

    private final MockProducer<String, byte[]> kafka =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private long now = 42;
    private final ClusterRateLimit hereRates = new ClusterRateLimit(() -> now);
    private final ClusterRateLimit thereRates = new ClusterRateLimit(() -> now);
    private final PassedRequestLog here = log("here", hereRates);
    private final PassedRequestLog there = log("there", thereRates);

    private PassedRequestLog log(String id, ClusterRateLimit rates) {
        KafkaSettings settings = KafkaSettings.local("127.0.0.1:9", 1, "test");
        var tailer = new TopicTailer(settings, "test", new FoldedOffsets());
        return new PassedRequestLog(settings, tailer, id, rates, () -> now);
    }

    @Test
    void whatPassedHereIsMissingThere() {
        assertThat(passes(hereRates, RequestRate.READS)).isEqualTo(20);
        here.tell(kafka);
        readByBoth();
        assertThat(passes(thereRates, RequestRate.READS)).as("what 100 ms fill").isEqualTo(2);
        assertThat(passes(thereRates, RequestRate.SUBMISSIONS)).isEqualTo(20);
        now += SECOND;
        assertThat(passes(hereRates, RequestRate.READS))
                .as("own records count for nothing")
                .isEqualTo(20);
    }

    @Test
    void saysNowAndThenThatItIsThere() {
        here.tell(kafka);
        here.tell(kafka);
        now += 4 * SECOND;
        here.tell(kafka);
        assertThat(kafka.history()).hasSize(1);
        now += SECOND;
        here.tell(kafka);
        assertThat(kafka.history()).hasSize(2).allSatisfy(record -> assertThat(
                        Topics.PASSED_REQUESTS.decode(record.value()))
                .isEqualTo(new PassedRequests("here", List.of(), List.of())));
    }

    @Test
    void recordsHaveABound() {
        IntStream.range(0, 2_500).forEach(i -> {
            for (int n = 0; n < 3; n++) {
                hereRates.take("account-" + i, RequestRate.SUBMISSIONS, 20);
            }
        });
        here.tell(kafka);
        assertThat(kafka.history())
                .extracting(r ->
                        Topics.PASSED_REQUESTS.decode(r.value()).submissions().size())
                .containsExactly(1_000, 1_000, 500);
        assertThat(kafka.history()).allSatisfy(r -> assertThat(r.value().length).isLessThan(100_000));
    }

    @Test
    void withoutKafkaEachGatewayHasItsPart() {
        there.tell(kafka);
        here.tell(kafka);
        readByBoth();
        kafka.sendException = new TimeoutException("no");
        now += 6 * SECOND;
        here.tell(kafka);
        now += 6 * SECOND;
        here.tell(kafka);
        assertThat(passes(hereRates, RequestRate.READS)).isEqualTo(10);
        kafka.sendException = null;
        now += 6 * SECOND;
        there.tell(kafka);
        here.tell(kafka);
        readByBoth();
        here.tell(kafka);
        now += SECOND;
        assertThat(passes(hereRates, RequestRate.READS)).isEqualTo(20);
    }

    @Test
    void whatItCannotReadCountsForNothing() {
        for (byte[] value : List.of(new byte[0], "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8))) {
            var record = new ConsumerRecord<>(Topics.PASSED_REQUESTS.name(), 0, 0, "x", value);
            assertThatThrownBy(() -> here.fold(record)).isInstanceOf(SerializationException.class);
        }
        assertThat(passes(hereRates, RequestRate.READS)).isEqualTo(20);
    }

    private static int passes(ClusterRateLimit rates, RequestRate rate) {
        int passed = 0;
        while (rates.take("acme", rate, 20).pause().isEmpty()) {
            passed++;
        }
        return passed;
    }

    private void readByBoth() {
        List<ProducerRecord<String, byte[]>> written = new ArrayList<>(kafka.history());
        kafka.clear();
        for (ProducerRecord<String, byte[]> record : written) {
            here.fold(new ConsumerRecord<>(record.topic(), 0, 0, record.key(), record.value()));
            there.fold(new ConsumerRecord<>(record.topic(), 0, 0, record.key(), record.value()));
        }
    }
}
