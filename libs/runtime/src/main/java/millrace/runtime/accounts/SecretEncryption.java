package millrace.runtime.accounts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import millrace.contracts.Hashes;
import millrace.runtime.settings.SecretFile;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts webhook secrets for Kafka with AES-256-GCM, bound to their account and id. The keys for
 * encryption and for fingerprints are derived from one file. While that file is being replaced, the
 * other key decrypts what it has encrypted, and encrypts nothing.
 */
public final class SecretEncryption {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_ID_BYTES = 4;
    private static final String OTHER = ".other";

    private final SecretKeySpec sealingKey;
    private final SecretKeySpec fingerprintKey;
    private final String keyId;
    private final @Nullable SecretEncryption other;
    private final SecureRandom random = new SecureRandom();

    private SecretEncryption(byte[] key, @Nullable SecretEncryption other) {
        this.sealingKey = new SecretKeySpec(mac(new SecretKeySpec(key, "HmacSHA256"), "sealing"), "AES");
        this.fingerprintKey =
                new SecretKeySpec(mac(new SecretKeySpec(key, "HmacSHA256"), "fingerprints"), "HmacSHA256");
        this.keyId = HexFormat.of().formatHex(Arrays.copyOf(mac(fingerprintKey, "key id"), KEY_ID_BYTES));
        this.other = other;
    }

    /** @param key at least 32 random bytes */
    public static SecretEncryption of(byte[] key) {
        return of(key, null);
    }

    /** @param other decrypts what it has encrypted */
    public static SecretEncryption of(byte[] key, @Nullable SecretEncryption other) {
        if (key.length < SecretFile.BYTES) {
            throw new IllegalArgumentException("the accounts key has fewer than " + SecretFile.BYTES + " bytes");
        }
        return new SecretEncryption(key, other);
    }

    /**
     * Reads the key file, or creates it. Where a file of the same name and {@code .other} lies
     * beside it, its key decrypts too.
     *
     * @throws SettingsException where the file can be neither read nor created, or is too short
     */
    public static SecretEncryption load(Path file) {
        Path other = file.resolveSibling(file.getFileName() + OTHER);
        return of(key(file), Files.exists(other) ? of(key(other)) : null);
    }

    private static byte[] key(Path file) {
        try {
            return SecretFile.load(
                    file,
                    new SecureRandom(),
                    "webhook secrets that were made with the admin API have to be made again");
        } catch (IOException e) {
            throw new SettingsException("the accounts key cannot be used: " + e.getMessage());
        }
    }

    /** The key file beside the accounts file, for settings that name none. */
    public static Path defaultKeyFile(Path accountsFile) {
        return accountsFile.resolveSibling("accounts-key");
    }

    /** Identifies the key without revealing it. */
    public String keyId() {
        return keyId;
    }

    /** The other key, while the key file is being replaced. */
    public Optional<SecretEncryption> other() {
        return Optional.ofNullable(other);
    }

    /** Whether this key, and not the other one, encrypted the text. */
    public boolean sealed(String text) {
        return text.startsWith(keyId + ".");
    }

    /**
     * Encrypts a secret.
     *
     * @param id of the secret within the account
     */
    public String seal(String accountId, String id, String secret) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, accountId, id);
            byte[] sealed = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
            byte[] all = ByteBuffer.allocate(NONCE + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
            return keyId + "." + Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /**
     * Decrypts a secret.
     *
     * @throws SecretDecryptionException where an unknown key encrypted it, or it belongs to another
     *     account or id
     */
    public String open(String accountId, String id, String sealed) {
        if (other != null && other.sealed(sealed)) {
            return other.open(accountId, id, sealed);
        }
        String what = "webhook secret " + id + " of account " + accountId;
        int dot = sealed.indexOf('.');
        if (!sealed(sealed)) {
            throw new SecretDecryptionException(
                    what + " was sealed with accounts key " + sealed.substring(0, Math.max(0, dot))
                            + ", this process has " + keyId
                            + ": gateways and notifiers need the same file (setting accounts-key)");
        }
        try {
            byte[] all = Base64.getDecoder().decode(sealed.substring(dot + 1));
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(all, NONCE), accountId, id);
            return new String(cipher.doFinal(all, NONCE, all.length - NONCE), StandardCharsets.UTF_8);
        } catch (AEADBadTagException | IllegalArgumentException e) {
            throw new SecretDecryptionException(what + " was altered");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /**
     * A keyed hash of the text, 16 hex digits. Reveals nothing to those who do not have the key.
     */
    public String fingerprint(String text) {
        return HexFormat.of().formatHex(Arrays.copyOf(mac(fingerprintKey, text), 2 * KEY_ID_BYTES));
    }

    private Cipher cipher(int mode, byte[] nonce, String accountId, String id) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, sealingKey, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((accountId + "/" + id).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        return Hashes.hmacSha256(key, text.getBytes(StandardCharsets.UTF_8));
    }
}
