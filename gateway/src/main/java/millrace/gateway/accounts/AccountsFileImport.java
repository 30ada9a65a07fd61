package millrace.gateway.accounts;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.accounts.rules.AccountsFileEntry;
import millrace.gateway.readmodel.ReadModel;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the accounts file into Kafka at every start: accounts that are new there, with their opening credits, and the parts of
 * entries that the file has changed.
 */
public final class AccountsFileImport implements Runnable {
    static final String ACTOR = "accounts.yaml";

    private static final Logger LOG = LoggerFactory.getLogger(AccountsFileImport.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int AT_ONCE = 200;

    private final AccountsFile file;
    private final SecretEncryption box;
    private final AccountWriter writer;
    private final ReadModel model;
    private final InstantSource clock;
    private final SecretReencryption reencryption;
    /** Ids of accounts whose entries cannot be taken. */
    private volatile Set<String> refused = Set.of();

    private volatile boolean taken;
    private volatile boolean nothingToImport;
    /** Once and for all, since it is asked for each request. */
    private volatile boolean granted;

    public AccountsFileImport(
            AccountsFile file,
            SecretEncryption box,
            AccountWriter writer,
            ReadModel model,
            InstantSource clock,
            SecretReencryption reencryption) {
        this.file = file;
        this.box = box;
        this.writer = writer;
        this.model = model;
        this.clock = clock;
        this.reencryption = reencryption;
    }

    /** Does not end before all of it is in Kafka or was refused, or the thread is interrupted. */
    @Override
    public void run() {
        while (!taken && !Thread.currentThread().isInterrupted()) {
            try {
                take();
                reencryption.run();
                taken = true;
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            } catch (KafkaException e) {
                LOG.warn("the accounts file is not taken yet: {}", e.toString());
                nothingToImport = writer.wouldChangeNothing(wanted(file.accounts()));
                pause();
            }
        }
    }

    /**
     * Whether all of it is known here, and its opening credits are in the log, so that what is appended now follows them. A
     * gateway that has nothing new to take needs nobody to write for that: it serves while transactions cannot be made.
     */
    public boolean granted() {
        granted = granted || ((taken || nothingToImport) && everyAccountHasBalance());
        return granted;
    }

    private void take() {
        Map<String, String> left = takeEach(file.accounts());
        for (int before = Integer.MAX_VALUE; !left.isEmpty() && left.size() < before; ) {
            // A key of theirs may have been another account's until now.
            before = left.size();
            Set<String> ids = left.keySet();
            left = takeEach(file.accounts().stream()
                    .filter(account -> ids.contains(account.id()))
                    .toList());
        }
        left.forEach((id, sentence) -> LOG.error("accounts file: account {} stays as it was: {}", id, sentence));
        refused = Set.copyOf(left.keySet());
    }

    /** Returns the ids of those that were refused, and why. */
    private Map<String, String> takeEach(List<DeclaredAccount> accounts) {
        Map<String, String> left = new LinkedHashMap<>();
        // Also for no account: it ends what a gateway that was killed may have left open.
        for (int from = 0; from == 0 || from < accounts.size(); from += AT_ONCE) {
            List<DeclaredAccount> some = accounts.subList(from, Math.min(accounts.size(), from + AT_ONCE));
            List<AccountDecision> decisions = writer.change(ACTOR, wanted(some));
            for (int i = 0; i < some.size(); i++) {
                if (decisions.get(i) instanceof AccountDecision.Refused(String sentence)) {
                    left.put(some.get(i).id(), sentence);
                }
            }
            long changed = decisions.stream()
                    .filter(AccountDecision.Changed.class::isInstance)
                    .count();
            if (changed > 0) {
                LOG.info("{} accounts of the accounts file are new or have changed", changed);
            }
        }
        return left;
    }

    private List<AccountWriter.RequestedChange> wanted(List<DeclaredAccount> accounts) {
        return accounts.stream()
                .map(account -> new AccountWriter.RequestedChange(
                        account.id(),
                        new AccountChange.Declare(AccountsFileEntry.of(account, box, clock.instant())),
                        null))
                .toList();
    }

    private boolean everyAccountHasBalance() {
        return file.accounts().stream()
                .filter(account -> account.credits() > 0 && !refused.contains(account.id()))
                .allMatch(account -> model.hasBalance(account.id()));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
