package millrace.gateway.copy.reports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.database.LocalDatabase;
import org.jspecify.annotations.Nullable;

/** A read model in a folder of its own, which is told of one record after the other. */
public final class ModelOnDisk implements AutoCloseable {
    static final TopicState TOPICS =
            new TopicState(new CopiedTopics("topics", Map.of(), Map.of(), Map.of()), Duration.ofDays(7));
    static final Instant NOW = Instant.parse("2026-11-03T12:00:00Z");

    private final Path folder;
    private final ReadModel model;
    private final long firstStamp;

    public ModelOnDisk() {
        try {
            folder = Files.createTempDirectory("read-model");
            model = ReadModel.in(folder, 1 << 20);
            var unused = model.open(TOPICS, NOW);
            firstStamp = model.stamp();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ReadModel model() {
        return model;
    }

    /** A stamp from before anything was stored. */
    long firstStamp() {
        return firstStamp;
    }

    public void status(ReportStatus status) {
        fold(changes -> changes.status(status, null, Topics.REPORT_STATUS.encode(status)));
    }

    public void accountState(AccountState state) {
        fold(changes -> changes.balance(state));
    }

    public void command(String accountId, AccountCommand command, int partition, long offset) {
        model.command(accountId, command, partition, offset);
    }

    void request(String accountId, UUID reportId, @Nullable Idempotency idempotency, RequestPosition position) {
        UUID key = idempotency == null ? null : ReadModel.key(idempotency.keyHash());
        fold(changes -> changes.request(accountId, reportId, new StoredReports.Request(position, key)));
    }

    void forget(String accountId, UUID reportId) {
        fold(changes -> changes.forget(accountId, reportId, false));
    }

    void forgetRequest(String accountId, UUID reportId) {
        fold(changes -> changes.forgetRequest(accountId, reportId, false));
    }

    void erase(String accountId, UUID reportId) {
        fold(changes -> {
            changes.forget(accountId, reportId, true);
            changes.forgetRequest(accountId, reportId, true);
        });
    }

    private void fold(Consumer<ModelChanges> change) {
        model.fold(change, Map.of(), NOW);
    }

    @Override
    public void close() {
        model.close();
        try {
            LocalDatabase.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
