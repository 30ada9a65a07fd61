package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class AnswerProducerIT {
    private static final int PARTITIONS = 100;
    private static final int ANSWERS = 2_000;

    /**
     * With several requests in flight, a new leader rejected the first one to a partition and accepted the next, and
     * the producer repeated the first one for ever.
     */
    @Test
    void allArriveHoweverNewTheirLeaderIs() throws Exception {
        try (TestKafka kafka = TestKafka.fresh();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var fatal = new AtomicReference<Throwable>();
            var acknowledged = new AtomicInteger();
            try (var answers = new AnswerProducer(
                    KafkaSettings.local(kafka.bootstrapServers(), PARTITIONS, "a"),
                    KafkaClientFactory.ofKafka(),
                    fatal::set)) {
                admin.createTopics(List.of(new NewTopic(Topics.ACCOUNT_COMMANDS.name(), PARTITIONS, (short) 1)))
                        .all()
                        .get();
                for (int i = 0; i < ANSWERS; i++) {
                    answers.send(
                            "account-" + i % PARTITIONS,
                            new AccountCommand.GrantCredits("grant-" + i, 1, "bought"),
                            acknowledged::incrementAndGet);
                }
                await().atMost(Duration.ofSeconds(30)).until(() -> acknowledged.get() == ANSWERS);
            }
            assertThat(fatal).hasNullValue();
        }
    }
}
