package millrace.processor.ledger.state;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.decide.AccountReader;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.decide.LedgerAccount;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.SliceAnswer;
import millrace.processor.warehouse.DataVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the state of one account from the stores. */
public record StoredAccountReader(String accountId, LedgerStores stores, DataVersions versions, Instant now)
        implements AccountReader {
    private static final Logger LOG = LoggerFactory.getLogger(StoredAccountReader.class);

    @Override
    public LedgerAccount account() {
        LedgerAccount account = stores.accounts().get(accountId);
        return account == null ? LedgerAccount.fresh(accountId) : account;
    }

    @Override
    public @Nullable LedgerReport report(UUID reportId) {
        return stores.reports().get(StoreKeys.report(accountId, reportId));
    }

    @Override
    public @Nullable EndedReport ended(UUID reportId) {
        return stores.ended().get(accountId, reportId);
    }

    @Override
    public AccountCommand.@Nullable RequestReport request(UUID reportId) {
        return stores.requests().get(StoreKeys.report(accountId, reportId));
    }

    @Override
    public @Nullable SliceAnswer answer(AnswerKey key) {
        return stores.answers().get(StoreKeys.answer(accountId, key));
    }

    @Override
    public boolean granted(String grantId) {
        return stores.grants().get(StoreKeys.under(accountId, grantId)) != null;
    }

    @Override
    public @Nullable UUID claimant(String keyHash) {
        return stores.claims().get(StoreKeys.under(accountId, keyHash));
    }

    @Override
    public boolean claimedByEnded(String keyHash) {
        return stores.ended().isClaimed(accountId, keyHash, now);
    }

    @Override
    public @Nullable UUID ticket(TicketKey key) {
        return stores.tickets().get(StoreKeys.ticket(accountId, key));
    }

    @Override
    public Optional<DataVersion> dataVersion(String dataset, @Nullable String pinned) {
        try {
            return Optional.ofNullable(pinned)
                    .filter(version -> versions.has(dataset, version))
                    .or(() -> versions.current(dataset))
                    .map(v -> new DataVersion(v, versions.switchedAt(dataset, v).orElse(null)));
        } catch (UncheckedIOException e) {
            LOG.warn("current data version not readable dataset={} error={}", dataset, e.getMessage());
            return Optional.empty();
        }
    }
}
