package millrace.gateway.api.status;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.RecordLookup;
import millrace.gateway.copy.reports.RequestPosition;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the full request of a report from Kafka. */
@Singleton
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
    public Optional<RequestReport> read(String account, UUID reportId, RequestPosition position) {
        AccountCommand command =
                switch (position) {
                    case RequestPosition.Command(int partition, long offset) ->
                        read(account, Topics.ACCOUNT_COMMANDS, partition, offset);
                    case RequestPosition.Settled(int partition, long offset) ->
                        read(account, Topics.REPORT_REQUESTS, partition, offset);
                    case RequestPosition.Since(int partition, Instant time) ->
                        records.find(
                                account,
                                Topics.REPORT_REQUESTS,
                                partition,
                                Topics.reportKey(account, reportId),
                                time,
                                TIMEOUT);
                };
        return command instanceof RequestReport request ? Optional.of(request) : Optional.empty();
    }

    private <V> @Nullable V read(String account, Topic<V> topic, int partition, long offset) {
        return records.read(account, topic, partition, List.of(offset), TIMEOUT).get(offset);
    }

    @Override
    @PreDestroy
    public void close() {
        records.close();
    }
}
