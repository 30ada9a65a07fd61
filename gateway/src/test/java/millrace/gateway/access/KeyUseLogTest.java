package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.KeyKind;
import millrace.contracts.topics.Topics;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.SecretEncryption;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KeyUseLogTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final String KEPT = AccountRecord.Key.idOf(Hashes.sha256("kept"));

    private final MockProducer<String, byte[]> kafka =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    private final KeyUses uses = new KeyUses();
    private final Accounts accounts = new Accounts(SecretEncryption.of(new byte[32]), () -> NOON, account -> {});
    private boolean current = true;
    private Instant now = NOON;
    private final KafkaSettings settings = KafkaSettings.local("127.0.0.1:9", 1, "test");
    private final KeyUseLog log = new KeyUseLog(
            settings,
            new TopicTailer(settings, "test", new FoldedOffsets()),
            uses,
            accounts,
            () -> current,
            new SteadyClock(() -> now, () -> now.toEpochMilli() * 1_000_000));

    @Test
    void whatKafkaHasNotAcknowledgedIsWrittenAgain() {
        uses.used(KEPT, NOON);
        log.write(kafka);
        assertThat(kafka.errorNext(new TopicAuthorizationException("no"))).isTrue();
        log.write(kafka);
        kafka.completeNext();
        assertThat(records()).containsExactly(KEPT + " 2026-11-02T12:00:00Z", KEPT + " 2026-11-02T12:00:00Z");
        kafka.history().forEach(this::read);
        log.write(kafka);
        assertThat(kafka.history()).hasSize(2);
        assertThat(uses.lastUsed(KEPT)).contains(NOON);
    }

    /** A use may be read before the account that has the key. */
    @Test
    void keysThatNoAccountHasAreForgotten() {
        String gone = AccountRecord.Key.idOf(Hashes.sha256("gone"));
        accounts.fold(account(1, key("kept"), key("gone")));
        uses.written(KEPT, NOON);
        uses.written(gone, NOON);
        now = NOON.plus(Duration.ofDays(2));
        log.write(kafka);
        assertThat(records()).isEmpty();
        accounts.fold(account(2, key("kept")));
        now = now.plus(Duration.ofHours(1));
        current = false;
        log.write(kafka);
        assertThat(records()).as("the accounts are not all read").isEmpty();
        current = true;
        uses.written("key_new", now);
        log.write(kafka);
        assertThat(records()).containsExactly(gone + " null");
        kafka.history().forEach(this::read);
        assertThat(uses.lastUsed(gone)).isEmpty();
        assertThat(uses.lastUsed(KEPT)).contains(NOON);
        assertThat(uses.lastUsed("key_new")).contains(now);
        uses.written(gone, NOON);
        log.write(kafka);
        assertThat(kafka.history()).as("once an hour").hasSize(1);
    }

    private void read(ProducerRecord<String, byte[]> record) {
        log.fold(new ConsumerRecord<>(record.topic(), 0, 0, record.key(), record.value()));
    }

    private List<String> records() {
        return kafka.history().stream()
                .map(r -> r.key() + " "
                        + (r.value() == null
                                ? "null"
                                : Topics.KEY_USES.decode(r.value()).lastUsedAt()))
                .toList();
    }

    private static AccountRecord.Key key(String text) {
        String hash = Hashes.sha256(text);
        return new AccountRecord.Key(
                AccountRecord.Key.idOf(hash), KeyKind.BATCH, hash, null, null, false, NOON, null, null, null);
    }

    private static AccountRecord account(long revision, AccountRecord.Key... keys) {
        return new AccountRecord(
                "acme",
                revision,
                "Acme",
                false,
                List.of(keys),
                Map.of(),
                null,
                null,
                List.of(),
                Map.of(),
                NOON,
                null,
                null,
                null,
                null);
    }
}
