package millrace.processor;

import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.AccountCommand;
import millrace.processor.account.Account;
import millrace.processor.account.Answer;
import millrace.processor.account.Books;
import millrace.processor.account.Report;
import millrace.processor.warehouse.DataVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The books of one account, read from the stores. */
record StoredBooks(String accountId, LedgerStores stores, DataVersions versions) implements Books {
    private static final Logger LOG = LoggerFactory.getLogger(StoredBooks.class);

    @Override
    public Account account() {
        Account account = stores.accounts().get(accountId);
        return account == null ? Account.fresh(accountId) : account;
    }

    @Override
    public @Nullable Report report(UUID reportId) {
        return stores.reports().get(Keys.report(accountId, reportId));
    }

    @Override
    public AccountCommand.@Nullable RequestReport request(UUID reportId) {
        return stores.requests().get(Keys.report(accountId, reportId));
    }

    @Override
    public @Nullable Answer answer(AnswerKey key) {
        return stores.answers().get(Keys.answer(accountId, key));
    }

    @Override
    public boolean granted(String grantId) {
        return stores.grants().get(Keys.under(accountId, grantId)) != null;
    }

    @Override
    public @Nullable UUID claimant(String keyHash) {
        return stores.claims().get(Keys.under(accountId, keyHash));
    }

    @Override
    public @Nullable UUID ticket(TicketKey key) {
        return stores.tickets().get(Keys.ticket(accountId, key));
    }

    @Override
    public Optional<String> dataVersion(String dataset) {
        try {
            return versions.current(dataset);
        } catch (UncheckedIOException e) {
            LOG.warn("the data version of {} cannot be read", dataset, e);
            return Optional.empty();
        }
    }
}
