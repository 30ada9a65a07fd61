package millrace.gateway.accounts;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.accounts.rules.AccountsFileEntry;
import millrace.gateway.copy.reports.ReadModel;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Imports the accounts file into Kafka when the gateway starts: accounts that are new, with their
 * opening credits, and the parts of entries that have changed in the file. Then encrypts webhook
 * secrets anew if the accounts key has changed. Retries until Kafka answers.
 */
@Singleton
public final class AccountsFileImport implements Runnable {
    private static final String ACTOR = "accounts.yaml";
    private static final String KEY_ACTOR = "accounts-key";
    private static final Logger LOG = LoggerFactory.getLogger(AccountsFileImport.class);
    private static final Duration RETRY_BACKOFF = Duration.ofSeconds(1);
    private static final int AT_ONCE = 200;

    private final AccountsFile file;
    private final SecretEncryption encryption;
    private final Accounts accounts;
    private final AccountWriter writer;
    private final ReadModel model;
    private final InstantSource clock;
    /** Ids of accounts whose entries were refused. */
    private volatile Set<String> refused = Set.of();

    private volatile boolean imported;
    private volatile boolean nothingToImport;
    /** Remembered once true, because each request asks. */
    private volatile boolean granted;

    AccountsFileImport(
            AccountsFile file,
            SecretEncryption encryption,
            Accounts accounts,
            AccountWriter writer,
            ReadModel model,
            InstantSource clock) {
        this.file = file;
        this.encryption = encryption;
        this.accounts = accounts;
        this.writer = writer;
        this.model = model;
        this.clock = clock;
    }

    /** Returns when every entry is in Kafka or was refused, or when the thread is interrupted. */
    @Override
    public void run() {
        while (!imported && !Thread.currentThread().isInterrupted()) {
            try {
                importAll();
                reencrypt();
                imported = true;
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            } catch (KafkaException e) {
                LOG.warn("import of the accounts file failed, retrying error={}", e.toString());
                nothingToImport = writer.wouldChangeNothing(changes(file.accounts()));
                pause();
            }
        }
    }

    /**
     * Whether this gateway has read the accounts of the file, and their opening credits are in the
     * log, so that commands appended from now on follow them. A gateway whose file has nothing new
     * needs no transaction for that, so it serves while transactions fail.
     */
    public boolean granted() {
        granted = granted || ((imported || nothingToImport) && everyAccountHasBalance());
        return granted;
    }

    private void importAll() {
        Map<String, String> refusals = importEach(file.accounts());
        for (int before = Integer.MAX_VALUE; !refusals.isEmpty() && refusals.size() < before; ) {
            // A key that an account was refused may have moved away from its former account since.
            before = refusals.size();
            Set<String> ids = refusals.keySet();
            refusals = importEach(file.accounts().stream()
                    .filter(account -> ids.contains(account.id()))
                    .toList());
        }
        refusals.forEach(
                (id, sentence) -> LOG.error("entry of the accounts file refused accountId={} error={}", id, sentence));
        refused = Set.copyOf(refusals.keySet());
    }

    /** @return a sentence for each account that was refused, by its id */
    private Map<String, String> importEach(List<DeclaredAccount> accounts) {
        Map<String, String> refusals = new LinkedHashMap<>();
        // Also for an empty file: the transaction aborts one that a killed gateway left open.
        for (int from = 0; from == 0 || from < accounts.size(); from += AT_ONCE) {
            List<DeclaredAccount> some = accounts.subList(from, Math.min(accounts.size(), from + AT_ONCE));
            List<AccountDecision> decisions = writer.change(ACTOR, changes(some));
            for (int i = 0; i < some.size(); i++) {
                if (decisions.get(i) instanceof AccountDecision.Refused(var _, String sentence)) {
                    refusals.put(some.get(i).id(), sentence);
                }
            }
            long changed = decisions.stream()
                    .filter(AccountDecision.Changed.class::isInstance)
                    .count();
            if (changed > 0) {
                LOG.info("accounts file imported changedAccounts={}", changed);
            }
        }
        return refusals;
    }

    private List<AccountWriter.RequestedChange> changes(List<DeclaredAccount> accounts) {
        return accounts.stream()
                .map(account -> new AccountWriter.RequestedChange(
                        account.id(),
                        new AccountChange.Declare(AccountsFileEntry.of(account, encryption, clock.instant())),
                        null))
                .toList();
    }

    /**
     * Encrypts webhook secrets with the current accounts key that are still encrypted with the previous one. Afterwards
     * the previous key can be deleted.
     */
    private void reencrypt() {
        List<AccountWriter.RequestedChange> wanted = accounts.records().stream()
                .filter(account -> !reencrypted(account).isEmpty())
                .map(account -> new AccountWriter.RequestedChange(
                        account.accountId(), new AccountChange.ReencryptSecrets(reencrypted(account)), null))
                .toList();
        writer.changeEach(KEY_ACTOR, wanted);
        if (!wanted.isEmpty()) {
            LOG.info(
                    "webhook secrets encrypted with the new accounts key accounts={} keyId={}",
                    wanted.size(),
                    encryption.keyId());
        }
    }

    private Map<String, String> reencrypted(AccountRecord account) {
        Map<String, String> sealed = new HashMap<>();
        for (AccountRecord.Secret s : account.webhookSecrets()) {
            if (!encryption.sealed(s.sealed())) {
                String id = account.accountId();
                sealed.put(s.id(), encryption.seal(id, s.id(), encryption.open(id, s.id(), s.sealed())));
            }
        }
        return sealed;
    }

    private boolean everyAccountHasBalance() {
        return file.accounts().stream()
                .filter(account -> account.credits() > 0 && !refused.contains(account.id()))
                .allMatch(account -> model.hasBalance(account.id()));
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_BACKOFF);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
