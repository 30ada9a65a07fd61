package millrace.gateway.access;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import millrace.contracts.accounts.KeyUse;
import millrace.contracts.topics.Topics;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.kafka.PeriodicProducer;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes uses of keys to Kafka, and reads those of all gateways. No part of the accounts, which are
 * changed by one gateway at a time: gateways that write a use of the same key at the same time
 * disagree by moments.
 */
public final class KeyUseLog implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUseLog.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);
    private static final Duration SWEEP = Duration.ofHours(1);
    /** Longer than any gateway takes to read that an account has a new key. */
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    private final KafkaSettings kafka;
    private final KeyUses uses;
    private final Accounts accounts;
    private final BooleanSupplier accountsAreCurrent;
    private final SteadyClock clock;
    private final TailedTopics topic;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private long swept;

    /**
     * @param tailer is not started yet
     * @param accountsAreCurrent whether the accounts are all read, so that a key that none of them has is gone
     */
    public KeyUseLog(
            KafkaSettings kafka,
            TopicTailer tailer,
            KeyUses uses,
            Accounts accounts,
            BooleanSupplier accountsAreCurrent,
            SteadyClock clock) {
        this.kafka = kafka;
        this.uses = uses;
        this.accounts = accounts;
        this.accountsAreCurrent = accountsAreCurrent;
        this.clock = clock;
        this.swept = clock.millis();
        this.topic = tailer.add(Topics.KEY_USES, TopicTailer.Beginning.OLDEST, this::fold);
    }

    /** Writes until the thread is interrupted. */
    @Override
    public void run() {
        try (var producer = PeriodicProducer.open(kafka, "key-uses")) {
            producer.run(this::step);
        }
    }

    private Duration step(Producer<String, byte[]> producer) {
        if (topic.caughtUp()) {
            write(producer);
        }
        Exception failed = failure.getAndSet(null);
        if (failed != null) {
            LOG.warn("uses of keys not written, retrying error={}", failed.toString());
        }
        return failed == null ? PERIOD : AFTER_FAILURE;
    }

    /** What is not acknowledged stays unwritten, and comes again the next time. */
    void write(Producer<String, byte[]> producer) {
        try {
            for (Map.Entry<String, Instant> use : uses.unwritten().entrySet()) {
                send(producer, use.getKey(), Topics.KEY_USES.encode(new KeyUse(use.getKey(), use.getValue())));
            }
            long now = clock.millis();
            if (now - swept >= SWEEP.toMillis() && accountsAreCurrent.getAsBoolean()) {
                swept = now;
                gone(clock.wall()).forEach(keyId -> send(producer, keyId, null));
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            failure.set(e);
        }
    }

    /** Keys that no account has any more. */
    private Set<String> gone(Instant now) {
        Set<String> gone = uses.unusedSince(now.minus(FORGOTTEN));
        accounts.records().forEach(account -> account.keys().forEach(key -> gone.remove(key.id())));
        return gone;
    }

    private void send(Producer<String, byte[]> producer, String keyId, byte @Nullable [] value) {
        var unused = producer.send(new ProducerRecord<>(Topics.KEY_USES.name(), keyId, value), (metadata, error) -> {
            if (error != null) {
                failure.set(error);
            }
        });
    }

    /** Of the gateways' records, on the thread that reads them. */
    void fold(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            uses.forgotten(record.key());
        } else {
            KeyUse use = Topics.KEY_USES.decode(record.value());
            uses.written(use.keyId(), use.lastUsedAt());
        }
    }
}
