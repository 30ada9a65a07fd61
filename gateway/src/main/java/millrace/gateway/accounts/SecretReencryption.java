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

/**
 * Encrypts webhook secrets with the current accounts key that are still encrypted with the previous
 * one. Afterwards the previous key can be deleted.
 */
public final class SecretReencryption {
    static final String ACTOR = "accounts-key";

    private static final Logger LOG = LoggerFactory.getLogger(SecretReencryption.class);

    private final Accounts accounts;
    private final AccountWriter writer;
    private final SecretEncryption encryption;

    public SecretReencryption(Accounts accounts, AccountWriter writer, SecretEncryption encryption) {
        this.accounts = accounts;
        this.writer = writer;
        this.encryption = encryption;
    }

    /** Must be called when the accounts have been read. */
    void run() {
        List<AccountWriter.RequestedChange> wanted = accounts.records().stream()
                .filter(account -> !reencrypted(account).isEmpty())
                .map(account -> new AccountWriter.RequestedChange(
                        account.accountId(), new AccountChange.ReencryptSecrets(reencrypted(account)), null))
                .toList();
        writer.changeEach(ACTOR, wanted);
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
}
