package millrace.gateway.commands;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import millrace.contracts.AccountCommand;
import millrace.gateway.model.ReadModel;
import millrace.runtime.Account;
import millrace.runtime.AccountsFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the ledger at every start what the accounts begin with. It grants each opening once, however often it is told. */
@Singleton
public final class OpeningCredits implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OpeningCredits.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final AccountsFile accounts;
    private final CommandLog log;
    private final ReadModel model;
    /** Once and for all, since it is asked for each request. */
    private volatile boolean granted;

    OpeningCredits(AccountsFile accounts, CommandLog log, ReadModel model) {
        this.accounts = accounts;
        this.log = log;
        this.model = model;
    }

    /** Does not end before Kafka has acknowledged all of them, or the thread is interrupted. */
    @Override
    public void run() {
        for (Account account : accounts.accounts()) {
            if (account.credits() > 0 && !grant(account)) {
                return;
            }
        }
    }

    /** Whether all of them are in the log, so that what is appended from now on comes after them. */
    public boolean granted() {
        granted = granted || everyAccountHasSome();
        return granted;
    }

    private boolean everyAccountHasSome() {
        return accounts.accounts().stream()
                .filter(account -> account.credits() > 0)
                .allMatch(account -> model.hasBalance(account.id()));
    }

    private boolean grant(Account account) {
        var grant = new AccountCommand.GrantCredits("opening-" + account.id(), account.credits(), "opening credits");
        while (!Thread.currentThread().isInterrupted()) {
            try {
                log.append(account.id(), grant).join();
                return true;
            } catch (CompletionException e) {
                LOG.warn("opening credits of {} are not appended yet: {}", account.id(), e.toString());
                pause();
            }
        }
        return false;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
