package millrace.gateway.statements;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import millrace.contracts.CanonicalJson;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.copy.activity.ActivityQueries.BookedEntry;
import millrace.gateway.copy.activity.ActivityStore;
import millrace.runtime.kafka.PeriodicProducer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the statements of months that have ended, and announces the key that signs. Every gateway runs it. Two that make a
 * statement at the same time do no harm: the first one in the topic counts.
 */
public final class StatementLog implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(StatementLog.class);
    private static final Duration PERIOD = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofSeconds(2);

    /**
     * How long after its end a month is over. Kafka refuses records of a clock that is further ahead, so no gateway makes a
     * statement of a month that has not ended.
     */
    private static final Duration ENDED = Duration.ofHours(1);

    /** How often a key is announced that signs. */
    private static final Duration ANNOUNCED = Duration.ofDays(30);

    /** How long a public key is shown after it has signed for the last time. */
    private static final Duration SHOWN = Duration.ofDays(400).plus(ANNOUNCED);

    /** Entries that are in memory at once. */
    private static final int PAGE = 10_000;

    /** By so many days an entry's time may be before the month of its statement. */
    private static final int SLACK_DAYS = 31;

    private final KafkaSettings kafka;
    private final ActivityStore store;
    private final BooleanSupplier current;
    private final StatementSigner signer;
    private final InstantSource clock;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private @Nullable YearMonth done;

    /** @param current whether the store has what is in Kafka */
    public StatementLog(
            KafkaSettings kafka,
            ActivityStore store,
            BooleanSupplier current,
            StatementSigner signer,
            InstantSource clock) {
        this.kafka = kafka;
        this.store = store;
        this.current = current;
        this.signer = signer;
        this.clock = clock;
    }

    /** Runs until the thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!Thread.interrupted()) {
                Thread.sleep(step());
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The public keys that are shown at a time, as JSON Web Keys. */
    public static List<JsonNode> keys(ActivityQueries store, Instant now) {
        return store.signingKeys(now.minus(SHOWN));
    }

    /** Returns the pause until the next step. There is a producer only once a month, and at a start. */
    private Duration step() {
        if (!current.getAsBoolean()) {
            return SOON;
        }
        YearMonth open = month(clock.instant().minus(ENDED));
        boolean announced = announced();
        if (announced && open.equals(done)) {
            return PERIOD;
        }
        try (var opened = PeriodicProducer.open(kafka, "statements")) {
            Producer<String, byte[]> producer = opened.producer();
            failure.set(null);
            if (!announced) {
                send(producer, signer.keyId(), signer.publicKey());
            }
            boolean made = makeDue(producer, open);
            producer.flush();
            Exception failed = failure.get();
            if (failed != null) {
                LOG.warn("statements not written, retrying error={}", failed.toString());
                return PERIOD;
            }
            done = made ? done : open;
            return made || !announced ? SOON : PERIOD;
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("statements not written, retrying error={}", e.toString());
            return PERIOD;
        }
    }

    private boolean announced() {
        Instant since = clock.instant().minus(ANNOUNCED);
        return store.ask(queries -> queries.signingKeys(since).stream()
                        .anyMatch(key -> key.path("kid").asText().equals(signer.keyId())))
                .orElse(true);
    }

    /** Makes the next statement of each account that lacks one; false if none does. */
    private boolean makeDue(Producer<String, byte[]> producer, YearMonth open) {
        boolean made = false;
        for (String account : known(store.ask(ActivityQueries::accounts))) {
            ObjectNode statement = next(account, open);
            if (statement != null) {
                String key = account + "/" + statement.path("month").asText();
                send(producer, key, CanonicalJson.bytes(signer.signed("statement", statement)));
                made = true;
            }
        }
        return made;
    }

    private void send(Producer<String, byte[]> producer, String key, byte[] value) {
        var unused =
                producer.send(new ProducerRecord<>(Topics.CREDIT_STATEMENTS.name(), key, value), (metadata, error) -> {
                    if (error != null) {
                        failure.set(error);
                    }
                });
    }

    /**
     * The statement that follows the last one, or null if there are no entries of a month that has ended. It begins with
     * the entry after the last statement, and ends before the first entry of a later month: whatever clocks did, each entry
     * is in one statement.
     */
    private @Nullable ObjectNode next(String account, YearMonth open) {
        JsonNode before = known(store.ask(queries -> queries.statements(account, 1))).stream()
                .map(signed -> signed.path("statement"))
                .findFirst()
                .orElse(null);
        long after = before == null ? 0 : before.path("last_sequence").asLong();
        YearMonth earliest = before == null
                ? null
                : YearMonth.parse(before.path("month").asText()).plusMonths(1);
        int firstDay = earliest == null ? 0 : Math.toIntExact(earliest.atDay(1).toEpochDay()) - SLACK_DAYS;
        if (known(store.ask(queries -> queries.lastEntry(account))) <= after) {
            return null;
        }
        List<BookedEntry> page = page(account, firstDay, after, 1); // most often it is of the month that has not ended
        if (page.isEmpty()) {
            return null;
        }
        YearMonth entered = month(page.getFirst().entry().occurredAt());
        YearMonth month = earliest != null && entered.isBefore(earliest) ? earliest : entered;
        if (!month.isBefore(open)) {
            return null;
        }
        var sums = new StatementSums(account, month);
        while (!page.isEmpty()) {
            for (BookedEntry booked : page) {
                if (month(booked.entry().occurredAt()).isAfter(month)) {
                    return sums.statement(before);
                }
                sums.add(booked);
                after = booked.entry().sequence();
            }
            page = page(account, firstDay, after, PAGE);
        }
        return sums.statement(before);
    }

    private List<BookedEntry> page(String account, int firstDay, long after, int most) {
        return known(store.ask(queries -> queries.entriesAfter(account, firstDay, after, most)));
    }

    private static <T> T known(Optional<T> answer) {
        return answer.orElseThrow(() -> new KafkaException("the activity store cannot be read"));
    }

    private static YearMonth month(Instant time) {
        return YearMonth.from(time.atOffset(ZoneOffset.UTC));
    }
}
