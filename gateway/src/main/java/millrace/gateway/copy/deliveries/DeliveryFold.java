package millrace.gateway.copy.deliveries;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.EnableEndpoint;
import millrace.contracts.delivery.DeliveryCommand.EraseReport;
import millrace.contracts.delivery.DeliveryCommand.Reinstate;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.runtime.kafka.UnreadableRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds records of the webhook topics into a batch of rows. The topics have no common order, and what a gateway resends
 * it folds before and after it reads that: the rows do not depend on either.
 */
final class DeliveryFold {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryFold.class);
    /** Most events of a report: each of its attempts begins and ends. */
    private static final int MOST_EVENTS = 2 * ReportStatus.MOST_ATTEMPTS;

    private final RowBatch rows;
    private final StoredDeliveries.Kept kept;
    private final Set<Integer> earlyDays;

    /** @param earlyDays days of which something was read before its event; added to */
    DeliveryFold(RowBatch rows, StoredDeliveries.Kept kept, Set<Integer> earlyDays) {
        this.rows = rows;
        this.kept = kept;
        this.earlyDays = earlyDays;
    }

    /** Folds a record; one that cannot be read is skipped. */
    void fold(ConsumerRecord<String, byte[]> record) {
        try {
            String topic = record.topic();
            if (topic.equals(Topics.DELIVERIES.name())) {
                switch (Topics.DELIVERIES.decode(record.value())) {
                    case Deliver deliver -> deliver(deliver, record.partition(), record.offset(), entry -> {});
                    case Resend resend -> resend(resend, record.partition(), record.offset());
                    case EraseReport erase -> erase(erase);
                    case Reinstate _, EnableEndpoint _ -> {}
                }
            } else if (topic.equals(Topics.WEBHOOK_ATTEMPTS.name())) {
                attempt(Topics.WEBHOOK_ATTEMPTS.decode(record.value()), record.offset());
            } else if (topic.equals(Topics.WEBHOOK_DEAD_LETTERS.name())) {
                deadLetter(Topics.WEBHOOK_DEAD_LETTERS.decode(record.value()), record.offset());
            }
        } catch (SerializationException | IllegalArgumentException | ArithmeticException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    void resend(Resend resend, int partition, long offset) {
        deliver(resend.delivery(), partition, offset, entry -> entry.resent(resend));
    }

    private void deliver(Deliver deliver, int partition, long offset, Consumer<DeliveryEntry> more) {
        Optional<DeliveryId> id = DeliveryId.parse(deliver.eventId());
        long time = deliver.occurredAt().toEpochMilli();
        int day = StoredDeliveries.day(time);
        if (id.isEmpty() || !kept.has(day) || isErased(id.get())) {
            return;
        }
        String account = deliver.accountId();
        byte[] known = rows.get(StoredDeliveries.timeKey(day, account, id.get()));
        var at = new DeliveryCursor(known == null ? time : StoredDeliveries.number(known), id.get());
        DeliveryEntry before = entry(account, at);
        DeliveryEntry entry = before == null ? new DeliveryEntry() : before;
        DeliveryStatus statusBefore = before == null ? null : entry.status();
        EndpointTotals totalsBefore = before == null ? EndpointTotals.NONE : entry.totals();
        entry.placed(deliver, partition, offset);
        more.accept(entry);
        if (before == null) {
            rows.put(StoredDeliveries.timeKey(day, account, at.id()), StoredDeliveries.number(at.occurredAt()));
            addEarly(account, at.id(), entry);
        }
        write(account, deliver.endpoint(), at, entry, statusBefore, totalsBefore);
    }

    private void addEarly(String account, DeliveryId id, DeliveryEntry entry) {
        for (int day : earlyDays) {
            RowKey key = StoredDeliveries.earlyKey(day, account, id);
            byte[] early = rows.get(key);
            if (early != null) {
                entry.add(DeliveryEntry.of(early));
                rows.delete(key);
            }
        }
    }

    private void attempt(WebhookAttempt attempt, long offset) {
        long at = attempt.startedAt().toEpochMilli();
        change(attempt.accountId(), attempt.eventId(), attempt.endpoint(), at, e -> e.attempted(attempt, offset));
    }

    private void deadLetter(WebhookDeadLetter letter, long offset) {
        long at = letter.givenUpAt().toEpochMilli();
        change(letter.accountId(), letter.eventId(), letter.endpoint(), at, e -> e.givenUp(letter, offset));
    }

    /** @param time when something happened to the event, usually on its own day or soon after */
    private void change(String account, String eventId, String endpoint, long time, Consumer<DeliveryEntry> change) {
        DeliveryId id = DeliveryId.parse(eventId).orElse(null);
        if (id == null || isErased(id)) {
            return;
        }
        DeliveryCursor at = find(account, id, kept.near(time));
        DeliveryEntry entry = at == null ? null : entry(account, at);
        if (at != null && entry != null) {
            DeliveryStatus statusBefore = entry.status();
            EndpointTotals totalsBefore = entry.totals();
            change.accept(entry);
            write(account, endpoint, at, entry, statusBefore, totalsBefore);
        } else if (StoredDeliveries.day(time) >= kept.stored()) {
            int day = kept.near(time);
            RowKey key = StoredDeliveries.earlyKey(day, account, id);
            byte[] early = rows.get(key);
            DeliveryEntry known = early == null ? new DeliveryEntry() : DeliveryEntry.of(early);
            change.accept(known);
            rows.put(key, known.row());
            earlyDays.add(day);
        }
    }

    private boolean isErased(DeliveryId id) {
        return rows.get(StoredDeliveries.erasedKey(id.report())) != null;
    }

    /**
     * Deletes the deliveries of a report, and what is read of them from now on. When the last attempts of its endpoint
     * succeeded and failed stays.
     */
    private void erase(EraseReport erase) {
        int now = kept.near(erase.erasedAt().toEpochMilli());
        rows.put(StoredDeliveries.erasedKey(erase.reportId()), StoredDeliveries.number(now));
        for (int sequence = 1; sequence <= MOST_EVENTS; sequence++) {
            var id = new DeliveryId(erase.reportId(), sequence);
            for (int day : earlyDays) {
                rows.delete(StoredDeliveries.earlyKey(day, erase.accountId(), id));
            }
            DeliveryCursor at = find(erase.accountId(), id, now);
            DeliveryEntry entry = at == null ? null : entry(erase.accountId(), at);
            if (at != null && entry != null) {
                delete(erase.accountId(), at, entry);
            }
        }
    }

    private void delete(String account, DeliveryCursor at, DeliveryEntry entry) {
        int day = StoredDeliveries.day(at.occurredAt());
        DeliveryStatus status = entry.status();
        rows.delete(StoredDeliveries.timeKey(day, account, at.id()));
        rows.delete(StoredDeliveries.deliveryKey(account, at));
        rows.delete(StoredDeliveries.statusKey(account, status, at));
        rows.delete(StoredDeliveries.endpointStatusKey(account, entry.endpoint(), status, at));
        String endpoint = WebhookEndpoint.of(account, entry.url()).key();
        total(account, endpoint, day, before -> before.minusWaiting(entry.totals()));
    }

    /** Where the delivery is; null where it is not known. Looks from the day back, and then on. */
    private @Nullable DeliveryCursor find(String account, DeliveryId id, int day) {
        DeliveryCursor found = null;
        for (int back = day; found == null && back >= kept.stored(); back--) {
            found = at(back, account, id);
        }
        for (int on = day + 1; found == null && on <= kept.last(); on++) {
            found = at(on, account, id);
        }
        return found;
    }

    private @Nullable DeliveryCursor at(int day, String account, DeliveryId id) {
        byte[] time = rows.get(StoredDeliveries.timeKey(day, account, id));
        return time == null ? null : new DeliveryCursor(StoredDeliveries.number(time), id);
    }

    private @Nullable DeliveryEntry entry(String account, DeliveryCursor at) {
        byte[] row = rows.get(StoredDeliveries.deliveryKey(account, at));
        return row == null ? null : DeliveryEntry.of(row);
    }

    /** @param endpoint its key: account and origin */
    private void write(
            String account,
            String endpoint,
            DeliveryCursor at,
            DeliveryEntry entry,
            @Nullable DeliveryStatus statusBefore,
            EndpointTotals totalsBefore) {
        rows.put(StoredDeliveries.deliveryKey(account, at), entry.row());
        DeliveryStatus status = entry.status();
        if (status != statusBefore) {
            if (statusBefore != null) {
                rows.delete(StoredDeliveries.statusKey(account, statusBefore, at));
                rows.delete(StoredDeliveries.endpointStatusKey(account, entry.endpoint(), statusBefore, at));
            }
            rows.put(StoredDeliveries.statusKey(account, status, at), new byte[0]);
            rows.put(StoredDeliveries.endpointStatusKey(account, entry.endpoint(), status, at), new byte[0]);
        }
        total(account, endpoint, StoredDeliveries.day(at.occurredAt()), before -> before.minusWaiting(totalsBefore)
                .plus(entry.totals()));
    }

    private void total(String account, String endpoint, int day, UnaryOperator<EndpointTotals> change) {
        String origin = endpoint.substring(endpoint.indexOf('|') + 1);
        RowKey key = StoredDeliveries.endpointKey(day, account, origin);
        byte[] row = rows.get(key);
        EndpointTotals before = row == null ? EndpointTotals.NONE : EndpointTotals.of(row);
        EndpointTotals after = change.apply(before);
        if (row == null || !after.equals(before)) {
            rows.put(key, after.row());
        }
    }
}
