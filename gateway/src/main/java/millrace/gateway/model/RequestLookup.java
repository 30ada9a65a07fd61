package millrace.gateway.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import millrace.contracts.AccountCommand;
import millrace.contracts.AccountCommand.RequestReport;
import millrace.contracts.Topic;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads single requests from where they lie in Kafka. One at a time. */
public final class RequestLookup implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RecordLookup records;

    public RequestLookup(KafkaSettings kafka) {
        this.records = new RecordLookup(kafka, "requests");
    }

    /**
     * @return empty where the record has gone, because a newer place is known by now or the report was forgotten
     * @throws TimeoutException where Kafka does not answer within 2 s
     */
    public Optional<RequestReport> read(RequestRef ref) {
        AccountCommand command = ref.settled() ? read(Topics.REPORT_REQUESTS, ref) : read(Topics.ACCOUNT_COMMANDS, ref);
        return command instanceof RequestReport request ? Optional.of(request) : Optional.empty();
    }

    private <V> @Nullable V read(Topic<V> topic, RequestRef ref) {
        return records.read(topic, ref.partition(), List.of(ref.offset()), PATIENCE)
                .get(ref.offset());
    }

    @Override
    public void close() {
        records.close();
    }
}
