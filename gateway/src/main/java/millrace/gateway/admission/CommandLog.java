package millrace.gateway.admission;

import io.micronaut.configuration.kafka.annotation.KafkaClient;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.reports.AlreadyFoldedCommands;
import millrace.gateway.copy.reports.ReadModel;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Appends commands to Kafka, acknowledged by all in-sync replicas. The read model knows an
 * account's command as soon as it is acknowledged.
 */
@Singleton
public final class CommandLog {
    /** Name of the producer in Micronaut's configuration. */
    public static final String PRODUCER = "commands";

    private final Producer<String, byte[]> producer;
    private final ReadModel model;
    private final AlreadyFoldedCommands alreadyFolded;
    private final FoldedOffsets foldedOffsets;
    private final CatalogAgreement catalogs;

    CommandLog(
            @KafkaClient(id = PRODUCER) Producer<String, byte[]> producer,
            ReadModel model,
            AlreadyFoldedCommands alreadyFolded,
            FoldedOffsets foldedOffsets,
            CatalogAgreement catalogs) {
        this.catalogs = catalogs;
        this.producer = producer;
        this.model = model;
        this.alreadyFolded = alreadyFolded;
        this.foldedOffsets = foldedOffsets;
    }

    /**
     * Appends a command of an account. Blocks while the producer has no metadata. The future fails
     * where Kafka does not acknowledge within the delivery timeout; the command may have been
     * appended even so.
     */
    public CompletableFuture<RecordMetadata> append(String accountId, AccountCommand command) {
        return append(accountId, command, Topics.ACCOUNT_COMMANDS.encode(command));
    }

    /** The same for an encoded command. */
    CompletableFuture<RecordMetadata> append(String accountId, AccountCommand command, byte[] encoded) {
        var record = new ProducerRecord<>(
                Topics.ACCOUNT_COMMANDS.name(), null, accountId, encoded, catalogs.headers(command));
        long stamp = isNew(command) ? model.stamp() : 0;
        return append(record, at -> {
            model.command(accountId, command, at.partition(), at.offset(), stamp);
            alreadyFolded.add(at.partition(), at.offset());
            foldedOffsets.wakeWaiters();
        });
    }

    /** Whether the report's id was made for it. One that follows from an Idempotency-Key may be that of an earlier request. */
    private static boolean isNew(AccountCommand command) {
        return command instanceof AccountCommand.RequestReport request && request.idempotency() == null;
    }

    /**
     * Appends a command for the notifier. Blocks and fails as {@link #append(String,
     * AccountCommand)}.
     */
    public CompletableFuture<RecordMetadata> append(DeliveryCommand command) {
        var record =
                new ProducerRecord<>(Topics.DELIVERIES.name(), command.endpoint(), Topics.DELIVERIES.encode(command));
        return append(record, at -> {});
    }

    /** Asks the processors for another version of a dataset. Blocks and fails in the same way. */
    public CompletableFuture<RecordMetadata> append(VersionSwitch wanted) {
        var topic = Topics.VERSION_SWITCHES;
        return append(new ProducerRecord<>(topic.name(), wanted.dataset(), topic.encode(wanted)), at -> {});
    }

    private CompletableFuture<RecordMetadata> append(
            ProducerRecord<String, byte[]> record, Consumer<RecordMetadata> acknowledged) {
        var future = new CompletableFuture<RecordMetadata>();
        var unused = producer.send(record, (at, failure) -> {
            if (failure == null) {
                acknowledged.accept(at);
                future.complete(at);
            } else {
                future.completeExceptionally(failure);
            }
        });
        return future;
    }
}
