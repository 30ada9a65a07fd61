package millrace.gateway.readmodel;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds records of the four topics into the read model. Logs and skips a record that it cannot
 * read.
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

    void fold(ConsumerRecord<String, byte[]> record) {
        try {
            String topic = record.topic();
            if (topic.equals(Topics.REPORT_STATUS.name())) {
                status(record);
            } else if (topic.equals(Topics.REPORT_REQUESTS.name())) {
                request(record);
            } else if (topic.equals(Topics.ACCOUNT_STATE.name())) {
                if (record.value() != null) {
                    model.accountState(Topics.ACCOUNT_STATE.decode(record.value()));
                }
            } else if (topic.equals(Topics.ACCOUNT_COMMANDS.name())) {
                command(record);
            }
        } catch (IOException | SerializationException | IllegalArgumentException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    private void command(ConsumerRecord<String, byte[]> record) throws IOException {
        if (!alreadyFolded.remove(record.partition(), record.offset()) && !isWorkerAnswer(record.value())) {
            AccountCommand command = Topics.ACCOUNT_COMMANDS.decode(record.value());
            catalogs.read(command, record.headers());
            model.command(record.key(), command, record.partition(), record.offset());
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

    private void status(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            model.forget(accountId(record.key()), reportId(record.key()));
        } else {
            model.status(Topics.REPORT_STATUS.decode(record.value()));
        }
    }

    private void request(ConsumerRecord<String, byte[]> record) throws IOException, JacksonException {
        if (record.value() == null) {
            model.forgetRequest(accountId(record.key()), reportId(record.key()));
        } else {
            model.request(
                    accountId(record.key()),
                    reportId(record.key()),
                    Json.MAPPER.readValue(record.value(), Head.class).idempotency(),
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
