package millrace.gateway.status;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.kafka.RecordLookup;
import millrace.gateway.readmodel.RequestPosition;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the full request of a report from Kafka. */
public final class RequestLookup implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final RecordLookup records;

    public RequestLookup(KafkaSettings kafka) {
        this.records = new RecordLookup(kafka, "requests");
    }

    /**
     * @param account whose report it is
     * @return empty where the record is deleted, because the request is in the compacted topic by
     *     now or the report was forgotten
     * @throws TimeoutException where Kafka does not answer within 2 s
     */
    public Optional<RequestReport> read(String account, RequestPosition position) {
        AccountCommand command = position.settled()
                ? read(account, Topics.REPORT_REQUESTS, position)
                : read(account, Topics.ACCOUNT_COMMANDS, position);
        return command instanceof RequestReport request ? Optional.of(request) : Optional.empty();
    }

    private <V> @Nullable V read(String account, Topic<V> topic, RequestPosition position) {
        return records.read(account, topic, position.partition(), List.of(position.offset()), TIMEOUT)
                .get(position.offset());
    }

    @Override
    public void close() {
        records.close();
    }
}
