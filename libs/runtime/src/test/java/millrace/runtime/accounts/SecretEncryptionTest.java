package millrace.runtime.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretEncryptionTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private final SecretEncryption box = box("0123456789abcdef0123456789abcdef");
    private final SecretEncryption other = box("fedcba9876543210fedcba9876543210");

    @Test
    void opensWhatItSealed() {
        String sealed = box.seal("acme", "whs_1", SECRET);
        assertThat(sealed).startsWith(box.keyId() + ".").doesNotContain("MfKQ");
        assertThat(box.open("acme", "whs_1", sealed)).isEqualTo(SECRET);
        assertThat(box.seal("acme", "whs_1", SECRET)).as("no two are equal").isNotEqualTo(sealed);
    }

    @Test
    void opensNothingElse() {
        String sealed = box.seal("acme", "whs_1", SECRET);
        assertThatThrownBy(() -> other.open("acme", "whs_1", sealed))
                .isInstanceOf(SecretDecryptionException.class)
                .hasMessageContaining(
                        "was sealed with accounts key " + box.keyId() + ", this process has " + other.keyId());
        for (String[] at : new String[][] {{"acme", "whs_2"}, {"other", "whs_1"}}) {
            assertThatThrownBy(() -> box.open(at[0], at[1], sealed)).hasMessageContaining("was altered");
        }
        for (String altered : new String[] {sealed.replace(sealed.charAt(20), '!'), box.keyId() + ".AAAA", "", "x.y"}) {
            assertThatThrownBy(() -> box.open("acme", "whs_1", altered)).isInstanceOf(SecretDecryptionException.class);
        }
    }

    @Test
    void fingerprintsAreEqualForEqualTextsOnly() {
        assertThat(box.fingerprint("a")).hasSize(16).isEqualTo(box.fingerprint("a"));
        assertThat(box.fingerprint("b")).isNotEqualTo(box.fingerprint("a"));
        assertThat(other.fingerprint("a")).isNotEqualTo(box.fingerprint("a"));
    }

    @Test
    void theKeyIsMadeOnceBesideTheAccountsFile(@TempDir Path folder) {
        Path file = SecretEncryption.defaultKeyFile(folder.resolve("accounts.yaml"));
        assertThat(SecretEncryption.load(file).keyId())
                .isEqualTo(SecretEncryption.load(file).keyId());
    }

    @Test
    void anotherKeyBesideItOpensAndDoesNotSeal(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("accounts-key");
        Files.writeString(file, "0123456789abcdef0123456789abcdef");
        Files.writeString(folder.resolve("accounts-key.other"), "fedcba9876543210fedcba9876543210");
        SecretEncryption both = SecretEncryption.load(file);
        String before = other.seal("acme", "whs_1", SECRET);
        assertThat(both.open("acme", "whs_1", before)).isEqualTo(SECRET);
        assertThat(both.sealed(before)).isFalse();
        String after = both.seal("acme", "whs_1", SECRET);
        assertThat(both.sealed(after)).isTrue();
        assertThat(box.open("acme", "whs_1", after)).isEqualTo(SECRET);
        assertThat(both.fingerprint("a")).isEqualTo(box.fingerprint("a"));
    }

    private static SecretEncryption box(String key) {
        return SecretEncryption.of(key.getBytes(StandardCharsets.US_ASCII));
    }
}
