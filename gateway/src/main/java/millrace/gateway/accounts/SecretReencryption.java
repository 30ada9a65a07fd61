package millrace.gateway.accounts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.SecretEncryption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encrypts secrets with this gateway's key that were encrypted with the other one; afterwards that one can go. */
public final class SecretReencryption {
    static final String ACTOR = "accounts-key";

    private static final Logger LOG = LoggerFactory.getLogger(SecretReencryption.class);

    private final Accounts accounts;
    private final AccountWriter writer;
    private final SecretEncryption box;

    public SecretReencryption(Accounts accounts, AccountWriter writer, SecretEncryption box) {
        this.accounts = accounts;
        this.writer = writer;
        this.box = box;
    }

    /** Once the accounts have been read. */
    void run() {
        List<AccountWriter.RequestedChange> wanted = accounts.records().stream()
                .filter(account -> !others(account).isEmpty())
                .map(account -> new AccountWriter.RequestedChange(
                        account.accountId(), new AccountChange.ReencryptSecrets(others(account)), null))
                .toList();
        writer.changeEach(ACTOR, wanted);
        if (!wanted.isEmpty()) {
            LOG.info(
                    "webhook secrets of {} accounts are encrypted with accounts key {} now",
                    wanted.size(),
                    box.keyId());
        }
    }

    private Map<String, String> others(AccountRecord account) {
        Map<String, String> sealed = new HashMap<>();
        for (AccountRecord.Secret s : account.webhookSecrets()) {
            if (!box.sealed(s.sealed())) {
                String id = account.accountId();
                sealed.put(s.id(), box.seal(id, s.id(), box.open(id, s.id(), s.sealed())));
            }
        }
        return sealed;
    }
}
