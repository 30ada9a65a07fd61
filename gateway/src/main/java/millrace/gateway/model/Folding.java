package millrace.gateway.model;

import com.fasterxml.jackson.core.JacksonException;
import java.io.IOException;
import java.util.UUID;
import millrace.contracts.AccountCommand.Idempotency;
import millrace.contracts.Json;
import millrace.contracts.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings records of the four topics into the read model. One that cannot be read is logged and left out. */
final class Folding {
    private static final Logger LOG = LoggerFactory.getLogger(Folding.class);

    /** What is kept of a request; its bulk is not read. */
    private record Head(@Nullable Idempotency idempotency) {}

    private final ReadModel model;

    Folding(ReadModel model) {
        this.model = model;
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
                model.command(
                        record.key(),
                        Topics.ACCOUNT_COMMANDS.decode(record.value()),
                        record.partition(),
                        record.offset());
            }
        } catch (IOException | SerializationException | IllegalArgumentException e) {
            LOG.warn(
                    "record {} of {}-{} left out: {}",
                    record.offset(),
                    record.topic(),
                    record.partition(),
                    e.toString());
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
        if (record.value() != null) {
            model.request(
                    accountId(record.key()),
                    reportId(record.key()),
                    Json.MAPPER.readValue(record.value(), Head.class).idempotency(),
                    new RequestRef(true, record.partition(), record.offset()));
        }
    }

    private static String accountId(String reportKey) {
        return reportKey.substring(0, Math.max(0, reportKey.indexOf('/')));
    }

    private static UUID reportId(String reportKey) {
        return UUID.fromString(reportKey.substring(reportKey.indexOf('/') + 1));
    }
}
