package millrace.gateway.accounts;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import millrace.contracts.accounts.AccountRecord;
import millrace.runtime.accounts.SecretEncryption;

/** Makes keys, webhook secrets and ids that nobody can guess. */
public final class NewSecrets {
    private static final int KEY_BYTES = 16;
    private static final int SECRET_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    private NewSecrets() {}

    /** The text of a key. */
    public static String key() {
        return HexFormat.of().formatHex(bytes(KEY_BYTES));
    }

    public static String id(String prefix) {
        return prefix + HexFormat.of().formatHex(bytes(KEY_BYTES / 2));
    }

    /** {@code whsec_…}. */
    public static String webhookSecret() {
        return "whsec_" + Base64.getEncoder().encodeToString(bytes(SECRET_BYTES));
    }

    /** As the topic has it. */
    public static AccountRecord.Secret sealed(
            SecretEncryption encryption, String accountId, String secret, Instant now) {
        String id = id("whs_");
        return new AccountRecord.Secret(id, encryption.seal(accountId, id, secret), now, null);
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
