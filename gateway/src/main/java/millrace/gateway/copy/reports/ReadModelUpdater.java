package millrace.gateway.copy.reports;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
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

    /** Of a poll that are decoded on several threads: while the model is built, and not for every report. */
    static final int MANY_RECORDS = 500;

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
        List<ConsumerRecord<String, byte[]>> poll = new ArrayList<>();
        records.forEach(poll::add);
        Stream<ConsumerRecord<String, byte[]>> decoded =
                poll.size() >= MANY_RECORDS ? poll.parallelStream() : poll.stream();
        List<Consumer<ModelChanges>> inOrder = decoded.map(this::change).toList();
        model.fold(changes -> inOrder.forEach(change -> change.accept(changes)), next, now);
    }

    /** Whether one of the records is a status that does not say what the model needs of its report's request. */
    static boolean needsRequests(ConsumerRecords<String, byte[]> records) {
        for (ConsumerRecord<String, byte[]> record : records.records(Topics.REPORT_STATUS.name())) {
            if (record.value() != null && record.headers().lastHeader(RequestRecord.HEADER) == null) {
                return true;
            }
        }
        return false;
    }

    /** Decodes a record, which may be done for several at a time, into what it changes in its turn. */
    private Consumer<ModelChanges> change(ConsumerRecord<String, byte[]> record) {
        try {
            String topic = record.topic();
            if (topic.equals(Topics.REPORT_STATUS.name())) {
                return status(record);
            } else if (topic.equals(Topics.REPORT_REQUESTS.name())) {
                return request(record);
            } else if (topic.equals(Topics.ACCOUNT_STATE.name())) {
                return balance(record);
            } else if (topic.equals(Topics.ACCOUNT_COMMANDS.name())) {
                return changes -> command(record, changes); // what was folded already is forgotten in order
            }
        } catch (IOException | SerializationException | IllegalArgumentException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
        return ReadModelUpdater::nothing;
    }

    private void command(ConsumerRecord<String, byte[]> record, ModelChanges changes) {
        try {
            if (!alreadyFolded.remove(record.partition(), record.offset()) && !isWorkerAnswer(record.value())) {
                AccountCommand command = Topics.ACCOUNT_COMMANDS.decode(record.value());
                catalogs.read(command, record.headers());
                changes.afterwards(m -> m.command(record.key(), command, record.partition(), record.offset()));
            }
        } catch (IOException | SerializationException | IllegalArgumentException e) {
            UnreadableRecord.skipped(LOG, record, e);
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

    private static void nothing(ModelChanges changes) {}

    private static Consumer<ModelChanges> status(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            String account = accountId(record.key());
            UUID report = reportId(record.key());
            boolean erased = CloudEvent.isErased(record.headers());
            return changes -> changes.forget(account, report, erased);
        }
        ReportStatus status = Topics.REPORT_STATUS.decode(record.value());
        StoredReports.Request request = requestOf(record);
        return changes -> changes.status(status, request, record.value());
    }

    private static StoredReports.@Nullable Request requestOf(ConsumerRecord<String, byte[]> status) {
        RequestRecord request = RequestRecord.in(status.headers());
        if (request == null) {
            return null;
        }
        String key = request.key();
        var position = new RequestPosition.Since(status.partition(), request.writtenAt());
        return new StoredReports.Request(position, key == null ? null : ReadModel.key(key));
    }

    private static Consumer<ModelChanges> request(ConsumerRecord<String, byte[]> record) throws IOException {
        String account = accountId(record.key());
        UUID report = reportId(record.key());
        if (record.value() == null) {
            boolean erased = CloudEvent.isErased(record.headers());
            return changes -> changes.forgetRequest(account, report, erased);
        }
        Idempotency idempotency =
                Json.MAPPER.readValue(record.value(), Head.class).idempotency();
        UUID key = idempotency == null ? null : ReadModel.key(idempotency.keyHash());
        var position = new RequestPosition.Settled(record.partition(), record.offset());
        return changes -> changes.request(account, report, new StoredReports.Request(position, key));
    }

    private static Consumer<ModelChanges> balance(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            return ReadModelUpdater::nothing;
        }
        AccountState state = Topics.ACCOUNT_STATE.decode(record.value());
        return changes -> changes.balance(state);
    }

    private static String accountId(String reportKey) {
        return reportKey.substring(0, Math.max(0, reportKey.indexOf('/')));
    }

    private static UUID reportId(String reportKey) {
        return UUID.fromString(reportKey.substring(reportKey.indexOf('/') + 1));
    }
}
