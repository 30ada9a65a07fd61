package millrace.gateway.readmodel;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.topics.Topics;
import millrace.gateway.database.StoreException;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds the records of a poll into the read model. Logs and skips a record that it cannot read.
 */
final class ReadModelUpdater {
    private static final Logger LOG = LoggerFactory.getLogger(ReadModelUpdater.class);

    /** The one field that is read of a request. */
    private record Head(@Nullable Idempotency idempotency) {}

    private static final Set<String> WORKER_ANSWERS =
            Set.of("slice_running", "slice_done", "slice_failed", "assembled");

    private final ReadModel model;
    private final AlreadyFoldedCommands alreadyFolded;
    private final CatalogAgreement catalogs;

    /** @param catalogs compares what other gateways accept */
    ReadModelUpdater(ReadModel model, AlreadyFoldedCommands alreadyFolded, CatalogAgreement catalogs) {
        this.catalogs = catalogs;
        this.model = model;
        this.alreadyFolded = alreadyFolded;
    }

    /**
     * @param next where reading goes on, in the partitions whose records are rows
     * @throws StoreException where rows cannot be read or written
     */
    void fold(
            Iterable<ConsumerRecord<String, byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> next,
            Instant now) {
        model.fold(changes -> records.forEach(record -> fold(record, changes)), next, now);
    }

    private void fold(ConsumerRecord<String, byte[]> record, ModelChanges changes) {
        try {
            String topic = record.topic();
            if (topic.equals(Topics.REPORT_STATUS.name())) {
                status(record, changes);
            } else if (topic.equals(Topics.REPORT_REQUESTS.name())) {
                request(record, changes);
            } else if (topic.equals(Topics.ACCOUNT_STATE.name())) {
                if (record.value() != null) {
                    changes.balance(Topics.ACCOUNT_STATE.decode(record.value()));
                }
            } else if (topic.equals(Topics.ACCOUNT_COMMANDS.name())) {
                command(record, changes);
            }
        } catch (IOException | SerializationException | IllegalArgumentException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    private void command(ConsumerRecord<String, byte[]> record, ModelChanges changes) throws IOException {
        if (!alreadyFolded.remove(record.partition(), record.offset()) && !isWorkerAnswer(record.value())) {
            AccountCommand command = Topics.ACCOUNT_COMMANDS.decode(record.value());
            catalogs.read(command, record.headers());
            changes.afterwards(m -> m.command(record.key(), command, record.partition(), record.offset()));
        }
    }

    /**
     * Most commands are answers of render workers, which the read model ignores. Their first field
     * tells, without decoding the rest.
     */
    private static boolean isWorkerAnswer(byte[] command) throws IOException {
        try (JsonParser json = Json.MAPPER.createParser(command)) {
            json.nextToken();
            String type = "type".equals(json.nextFieldName()) ? json.nextTextValue() : null;
            return type != null && WORKER_ANSWERS.contains(type);
        }
    }

    private static void status(ConsumerRecord<String, byte[]> record, ModelChanges changes) {
        if (record.value() == null) {
            changes.forget(accountId(record.key()), reportId(record.key()));
        } else {
            changes.status(Topics.REPORT_STATUS.decode(record.value()), record.value());
        }
    }

    private static void request(ConsumerRecord<String, byte[]> record, ModelChanges changes)
            throws IOException, JacksonException {
        if (record.value() == null) {
            changes.forgetRequest(accountId(record.key()), reportId(record.key()));
        } else {
            Idempotency idempotency =
                    Json.MAPPER.readValue(record.value(), Head.class).idempotency();
            changes.request(
                    accountId(record.key()),
                    reportId(record.key()),
                    idempotency == null ? null : ReadModel.key(idempotency.keyHash()),
                    new RequestPosition(true, record.partition(), record.offset()));
        }
    }

    private static String accountId(String reportKey) {
        return reportKey.substring(0, Math.max(0, reportKey.indexOf('/')));
    }

    private static UUID reportId(String reportKey) {
        return UUID.fromString(reportKey.substring(reportKey.indexOf('/') + 1));
    }
}
