package millrace.gateway.accounts;

import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import millrace.contracts.accounts.AccountRecord;
import millrace.runtime.accounts.SecretEncryption;

/** Makes keys, webhook secrets and ids that nobody can guess. */
@Singleton
public final class NewSecrets {
    private static final int KEY_BYTES = 16;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final SecretEncryption box;

    /** @param box encrypts webhook secrets */
    public NewSecrets(SecretEncryption box) {
        this.box = box;
    }

    /** The text of a key. */
    public String key() {
        return HexFormat.of().formatHex(bytes(KEY_BYTES));
    }

    public String id(String prefix) {
        return prefix + HexFormat.of().formatHex(bytes(KEY_BYTES / 2));
    }

    /** {@code whsec_…}. */
    public String webhookSecret() {
        return "whsec_" + Base64.getEncoder().encodeToString(bytes(SECRET_BYTES));
    }

    /** As the topic has it. */
    public AccountRecord.Secret sealed(String accountId, String secret, Instant now) {
        String id = id("whs_");
        return new AccountRecord.Secret(id, box.seal(accountId, id, secret), now, null);
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
