package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.WebhookSecrets;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running notifier signs with the current secrets of an account. */
class AccountWebhookSecretsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-11-02T12:00:00Z");
    private static final Instant LATER = Instant.parse("2226-11-02T12:00:00Z");

    @TempDir
    Path folder;

    @Test
    void followsTheAccountsOfKafkaAndOfTheFileOnlyWhatKafkaDoesNotKnow() throws Exception {
        Files.writeString(folder.resolve("accounts.yaml"), """
                accounts:
                - {id: acme, name: Acme, keys: [], credits: 0, entitlements: {}, webhook_secrets: [whsec_ZmlsZQ==]}
                """);
        SecretEncryption box = SecretEncryption.load(folder.resolve("accounts-key"));
        var fatal = new ConcurrentLinkedQueue<Throwable>();
        try (TestKafka kafka = TestKafka.withTopics(3);
                var producer = producer(kafka);
                WebhookSecrets secrets = AccountWebhookSecrets.follow(settings(), settings(kafka), fatal::add)) {
            await().atMost(TIMEOUT).until(() -> secrets.awaitRead(Duration.ofMillis(100)));
            assertThat(secrets.of("acme")).containsExactly("whsec_ZmlsZQ==");
            assertTimeout(Duration.ofSeconds(1), () -> assertThat(secrets.of("nobody"))
                    .isEmpty());

            put(producer, record(1, sealed(box, "new", null), sealed(box, "old", LATER), sealed(box, "gone", NOW)));
            await().atMost(TIMEOUT).until(() -> secrets.of("acme").equals(List.of("new", "old")));

            put(producer, record(2, sealed(box, "newer", null)));
            await().atMost(TIMEOUT).until(() -> secrets.of("acme").equals(List.of("newer")));

            SecretEncryption other =
                    SecretEncryption.of("fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII));
            put(producer, record(3, sealed(other, "foreign", null)));
            await().atMost(TIMEOUT).until(() -> !fatal.isEmpty());
            assertThat(fatal.element())
                    .hasMessageContaining("gateways and notifiers need the same file (setting accounts-key)");
            assertThat(secrets.of("acme")).containsExactly("newer");
        }
    }

    private NotifierSettings settings() {
        String accounts = folder.resolve("accounts.yaml").toString();
        return Settings.sectionOf("notifier", NotifierSettings.class, Map.of("notifier.accounts", accounts));
    }

    private static KafkaSettings settings(TestKafka kafka) {
        return KafkaSettings.local(kafka.bootstrapServers(), 3, "notifier-of-accounts");
    }

    private static AccountRecord.Secret sealed(
            SecretEncryption box, String text, @org.jspecify.annotations.Nullable Instant until) {
        return new AccountRecord.Secret("whs_" + text, box.seal("acme", "whs_" + text, text), NOW, until);
    }

    private static AccountRecord record(long revision, AccountRecord.Secret... secrets) {
        return new AccountRecord(
                "acme",
                revision,
                "Acme",
                false,
                List.of(),
                Map.of(),
                null,
                null,
                List.of(secrets),
                Map.of(),
                NOW,
                null,
                null,
                null,
                null);
    }

    private static void put(KafkaProducer<String, byte[]> producer, AccountRecord record) throws Exception {
        byte[] value = Topics.ACCOUNTS.encode(record);
        producer.send(new ProducerRecord<>(Topics.ACCOUNTS.name(), "acme", value))
                .get();
    }

    private static KafkaProducer<String, byte[]> producer(TestKafka kafka) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer());
    }
}
